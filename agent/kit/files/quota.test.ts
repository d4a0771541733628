import { expect, test } from 'vitest'
import { isOn, judge, limitsIn, ofMb, quotaCommand } from './quota.ts'

const mount = (fstype: string, options: string, target = '/home') => ({ target, fstype, options })

test.each([
  ['ext4', 'rw,relatime,quota,usrquota'],
  ['ext4', 'rw,usrjquota=aquota.user,jqfmt=vfsv1'],
  ['xfs', 'rw,attr2,inode64,usrquota'],
  ['xfs', 'rw,uquota'],
])('%s with %s holds accounts to their limit', (fstype, options) => {
  expect(judge(mount(fstype, options), true)).toEqual({ able: true, mount: '/home' })
})

test.each([
  ['overlay', 'rw,upperdir=/x', '/home is on overlay, which has no limits by account'],
  ['ext4', 'rw,relatime', '/home (ext4) is mounted without usrquota'],
  ['ext4', 'rw,noquota', '/home (ext4) is mounted without usrquota'],
  ['xfs', 'rw,uqnoenforce', '/home (xfs) is mounted without usrquota'],
  ['xfs', 'rw,prjquota', '/home (xfs) is mounted without usrquota'],
])('%s with %s does not, and says why', (fstype, options, why) => {
  expect(judge(mount(fstype, options), true)).toEqual({ able: false, why })
})

test('needs the tool', () => {
  expect(judge(mount('ext4', 'usrquota'), false)).toEqual({ able: false, why: 'the package quota is not installed' })
  expect(judge(undefined, true)).toMatchObject({ able: false })
})

test('sets a hard limit in KiB, of bytes and not of files', () => {
  expect(quotaCommand('web1', ofMb(500), '/home').slice(1)).toEqual([
    ...['--user', 'web1', '0', '512000', '0', '0', '/home'],
  ])
})

test('reports quotas that are off, as on a kernel without their format', () => {
  const said = (state: string) => `user quota on /home (/dev/vdb) is ${state}\n`
  expect([said('on'), said('on (enforced)'), said('off'), said('on (accounting)'), ''].map(isOn)).toEqual([
    ...[true, true, false, false, false],
  ])
})

test('reads the limits that a panel has set, by number and not by name', () => {
  const table = [
    '*** Report for user quotas on device /dev/ubdb', // repquota writes it before the table in some versions
    'User,BlockStatus,FileStatus,BlockUsed,BlockSoftLimit,BlockHardLimit,BlockGrace,FileUsed,FileSoftLimit,FileHardLimit,FileGrace',
    '#0,ok,ok,20,0,0,,2,0,0,',
    '#1001,ok,ok,4,100000,200000,,1,5000,6000,',
  ].join('\n')
  expect(limitsIn(table, 1001)).toEqual({ softKb: 100_000, hardKb: 200_000, softFiles: 5000, hardFiles: 6000 })
  expect(limitsIn(table, 0)).toBeUndefined()
  expect(limitsIn(table, 100)).toBeUndefined()
  expect(() => limitsIn('User,BlockStatus\n#5,ok\n', 5)).toThrow()
})
