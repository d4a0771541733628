import { expect, test } from 'vitest'
import { countedIn, isOn, judge, ofMb, quotaCommand } from './quota.ts'

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

test('reads the limits that a panel has set, and what is used, of the mount of /home', () => {
  const said = (...lines: string[]) =>
    [
      'Disk quotas for user alice (uid 1001): ',
      '     Filesystem  blocks   quota   limit   grace   files   quota   limit   grace',
      ...lines,
    ].join('\n')
  const srv = '           /srv       0       0       0       0       3       0       0       0'
  const used = { usedKb: 1024, softKb: 100, hardKb: 1024, softFiles: 2, hardFiles: 6 }
  expect(
    countedIn(said(srv, '          /home    1024*    100    1024 1796683967       2*      2       6       0'), '/home'),
  ).toEqual(used)
  expect(countedIn(said(srv), '/home')).toBeUndefined()
  expect(() => countedIn(said('  /home 1024 none'), '/home')).toThrow()
})
