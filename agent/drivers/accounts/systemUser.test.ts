import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits, rootOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'system user' : `system user (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'users')
    await p.provision()
  })
  afterAll(() => p?.end())

  const ensure = (username: string, more: object = {}) => p.op('system-user.ensure', { username, limits, ...more })
  const exists = async (username: string) => (await p.host.exec(['id', username])).code === 0
  const as = (username: string, ...argv: string[]) =>
    p.host.exec(['setpriv', `--reuid=${username}`, `--regid=${username}`, '--clear-groups', ...argv])

  test('creates an account without shell and password, whose home only nginx may pass through; idempotent', async () => {
    for (const _ of [1, 2]) expect(await ensure('web1')).toMatchObject({ status: 'done' })
    expect(await p.sh('getent', 'passwd', 'web1')).toMatch(
      /^web1:x:\d{4,}:\d+:Innkeeper:\/home\/web1:\/usr\/sbin\/nologin$/m,
    )
    expect(await p.sh('passwd', '--status', 'web1')).toMatch(/^web1 L /)
    expect(await p.sh('stat', '--format=%U %G %a', '/home/web1')).toBe('web1 www-data 710\n')
    expect((await as('web1', 'ls', '/home/web1')).code).toBe(0)
    await ensure('web2')
    expect((await as('web2', 'ls', '/home/web1')).code).not.toBe(0)
    expect((await as('www-data', 'ls', '/home/web1')).code).not.toBe(0)
  })

  test('measures usage: the files as they grow, and nothing for an unknown account', async () => {
    await ensure('counted')
    const usage = async () => {
      const { output } = await p.op('system-user.usage', { username: 'counted' })
      return output as { diskMb: number; files: number } // the driver's answer
    }
    const before = await usage()
    expect((await as('counted', 'dd', 'if=/dev/zero', 'of=/home/counted/tmp/big', 'bs=1M', 'count=20')).code).toBe(0)
    expect(await usage()).toMatchObject({ diskMb: before.diskMb + 20, files: before.files + 1 })
    for (const username of ['nobody', 'ghost1'])
      expect(await p.op('system-user.usage', { username })).toMatchObject({ status: 'failed' })
  })

  test('adds the group that a killed useradd did not create', async () => {
    await ensure('half1')
    const group = await p.sh('getent', 'group', 'half1')
    await p.sh('sed', '--in-place', '/^half1:/d', '/etc/group', '/etc/gshadow')
    expect(await ensure('half1')).toMatchObject({ status: 'done' })
    expect(await p.sh('getent', 'group', 'half1')).toBe(group)
  })

  test('refuses system accounts of the server', async () => {
    for (const username of ['backup', 'daemon', 'root', 'nobody'])
      expect(await ensure(username)).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('is a system '),
      })
    expect(await p.op('system-user.remove', { username: 'backup' })).toMatchObject({ status: 'failed' })
    expect(await exists('backup')).toBe(true)
  })

  test('leaves an account that somebody created by hand', async () => {
    await p.sh('useradd', '--create-home', 'byhand')
    const before = await p.sh('stat', '--format=%a %U %G', '/home/byhand')
    expect(await p.op('system-user.ensure', { username: 'byhand', limits })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('Innkeeper did not create'),
    })
    expect(await p.sh('stat', '--format=%a %U %G', '/home/byhand')).toBe(before)
  })

  test('refuses names that useradd would accept but nobody should have', async () => {
    const before = await p.sh('getent', 'passwd')
    for (const username of ['x;id', '../e', 'a:b', '-r', 'A', 'a b', `a${'b'.repeat(40)}`, 'a\nroot::0:0', ''])
      expect(await p.anyOp('system-user.ensure', { username, limits })).toMatchObject({ status: 'failed' })
    expect(
      await p.anyOp('system-user.ensure', { username: 'ok1', limits: { ...limits, memoryMb: '1\nExecStart=x' } }),
    ).toMatchObject({ status: 'failed' })
    expect(await p.sh('getent', 'passwd')).toBe(before)
  })

  test('undo removes an account of its own action, and keeps an existing one', async () => {
    const made = await ensure('gone1')
    const later = await ensure('gone1', { limits: { ...limits, memoryMb: 999 } })
    const undo = { task: 'undo' as const }
    await p.done('system-user.ensure', { username: 'gone1', limits }, { ...undo, id: later.id })
    expect(await exists('gone1')).toBe(true)
    expect(await p.sh('cat', '/etc/systemd/system/innkeeper-gone1.slice')).toContain('MemoryMax=256M')
    await p.done('system-user.ensure', { username: 'gone1', limits }, { ...undo, id: later.id })
    expect(await exists('gone1')).toBe(true)
    const other = await ensure('gone2')
    for (const _ of [1, 2]) await p.done('system-user.ensure', { username: 'gone2', limits }, { ...undo, id: other.id })
    expect(await exists('gone2')).toBe(false)
    expect(made.status).toBe('done')
  })

  test('undo keeps an account that another website uses by now', async () => {
    const made = await ensure('shared1')
    await p.done('document-root.ensure', rootOf('tenant.example', 'shared1'))
    const undone = await p.done('system-user.ensure', { username: 'shared1', limits }, { id: made.id, task: 'undo' })
    expect(undone.said.join()).toContain('tenant.example')
    expect(await exists('shared1')).toBe(true)
  })

  test('removes an account with processes, home, group and slice, idempotently; undo restores it', async () => {
    await ensure('leave1')
    await p.done('document-root.ensure', rootOf('leave.example', 'leave1'))
    const uid = (await p.sh('id', '-u', 'leave1')).trim()
    await p.sh(
      'sh',
      '-c',
      'setsid setpriv --reuid=leave1 --regid=leave1 --clear-groups sleep 600 </dev/null >/dev/null 2>&1 &',
    )
    await expect.poll(() => p.host.exec(['pgrep', '-u', uid]).then(({ code }) => code)).toBe(0)
    const { id } = await p.done('system-user.remove', { username: 'leave1' })
    await p.done('system-user.remove', { username: 'leave1' }, { id })
    expect(await exists('leave1')).toBe(false)
    expect((await p.host.exec(['pgrep', '-u', uid])).code).toBe(1)
    expect(await p.sh('sh', '-c', 'ls /home /etc/systemd/system; getent group; cat /etc/shadow')).not.toContain(
      'leave1',
    )
    expect(await p.sh('stat', '--format=%a %U', '/var/lib/innkeeper/trash')).toBe('700 root\n')

    for (const _ of [1, 2]) await p.done('system-user.remove', { username: 'leave1' }, { id, task: 'undo' })
    expect((await p.sh('id', '-u', 'leave1')).trim()).toBe(uid)
    expect((await as('leave1', 'cat', '/home/leave1/leave.example/public/index.php')).stdout).toContain('leave.example')
    expect(await p.sh('cat', '/etc/systemd/system/innkeeper-leave1.slice')).toContain('MemoryMax=256M')
  })

  test('refuses to remove an account with a pool or a website', async () => {
    await p.website('live.example', 'live1')
    expect(await p.op('system-user.remove', { username: 'live1' })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('live.example'),
    })
    expect((await p.get('live.example')).status).toBe(200)
  })

  test('completes an attempt that was killed', async () => {
    for (let ms = 10; ms < 150; ms += 20) {
      const username = `cut${ms}`
      await p.killAfter(ms, 'system-user.ensure', { username, limits })
      await p.done('system-user.ensure', { username, limits }, { inspect: true })
      expect(await p.sh('stat', '--format=%U %G %a', `/home/${username}`)).toBe(`${username} www-data 710\n`)
      await p.killAfter(ms, 'system-user.remove', { username })
      await p.done('system-user.remove', { username }, { inspect: true })
      expect(await exists(username)).toBe(false)
    }
  })

  test('brings an account back whole after an attempt that ended between its home and its limits', async () => {
    const slice = '/etc/systemd/system/innkeeper-back1.slice'
    await ensure('back1')
    await p.done('system-user.remove', { username: 'back1' }, { id: 7101 })
    await p.sh('mkdir', slice) // no file can be written here
    const undo = { id: 7101, task: 'undo' as const, inspect: true }
    expect(await p.op('system-user.remove', { username: 'back1' }, undo)).toMatchObject({ status: 'failed' })
    await p.sh('rmdir', slice)
    await p.done('system-user.remove', { username: 'back1' }, undo)
    expect(await p.sh('cat', slice)).toContain('TasksMax=64')
  })

  test('completes an account that useradd or userdel has left half-made', async () => {
    const drop = (file: string) => p.sh('sed', '-i', '/^half1:/d', file)
    await ensure('half1')
    await drop('/etc/shadow')
    await p.done('system-user.ensure', { username: 'half1', limits }, { inspect: true })
    expect(await p.sh('getent', 'shadow', 'half1')).toMatch(/^half1:!:/)
    await drop('/etc/shadow')
    await p.done('system-user.remove', { username: 'half1' })
    await ensure('half1')
    await drop('/etc/passwd')
    await p.done('system-user.remove', { username: 'half1' }, { inspect: true })
    expect(await p.sh('sh', '-c', 'getent group; cat /etc/shadow')).not.toContain('half1')
    await ensure('half1')
  })

  describe('document root', () => {
    const root = rootOf('files.example', 'web1')
    const folder = '/home/web1/files.example'

    test('belongs to the account, has a first page, and keeps its files on a second run', async () => {
      await p.done('document-root.ensure', root)
      expect(await p.sh('stat', '--format=%U %G %a', folder, root.path, `${root.path}/index.php`)).toBe(
        'web1 web1 755\nweb1 web1 755\nweb1 web1 644\n',
      )
      writeFileSync(`${p.host.root}${root.path}/index.php`, 'mine')
      await p.done('document-root.ensure', root)
      expect(await p.sh('cat', `${root.path}/index.php`)).toBe('mine')
    })

    test('rewrites a first page whose writing was interrupted', async () => {
      const cut = rootOf('cut.example', 'web1')
      await p.done('document-root.ensure', cut)
      await p.sh('mv', `${cut.path}/index.php`, `${cut.path}/.index.php.new`)
      await p.sh('truncate', '--size=20', `${cut.path}/.index.php.new`)
      expect(await p.op('document-root.ensure', cut, { inspect: true })).toMatchObject({ status: 'done' })
      expect(await p.sh('ls', '--almost-all', cut.path)).toBe('index.php\n')
      expect(await p.sh('cat', `${cut.path}/index.php`)).toContain('</html>')
    })

    test('follows no symlink of the account as root', async () => {
      mkdirSync(`${p.host.root}/srv/precious`)
      writeFileSync(`${p.host.root}/srv/precious/file`, 'precious')
      symlinkSync('/srv', `${p.host.root}/home/web1/trap.example`)
      await p.sh('chown', '--no-dereference', 'web1', '/home/web1/trap.example')
      const trap = { ...rootOf('trap.example', 'web1'), path: '/home/web1/trap.example/precious' }
      expect(await p.op('document-root.ensure', trap)).toMatchObject({ status: 'failed' })
      await p.op('document-root.remove', trap)
      await p.op('document-root.remove', { ...trap, domain: 'precious.example' })
      expect(await p.sh('ls', '/srv/precious')).toBe('file\n')
    })

    test('refuses paths of others', async () => {
      for (const path of [
        '/etc',
        '/home/web2/x/public',
        '/home/web1/../web2',
        '/home/web1//x',
        '/home/web1',
        '/home/web1/a;b',
        '/home/web1/.',
      ])
        expect(await p.anyOp('document-root.ensure', { ...root, path }), path).toMatchObject({ status: 'failed' })
      expect(await p.anyOp('document-root.remove', { ...root, path: '/home/web1' })).toMatchObject({ status: 'failed' })
    })

    test('is in the trash after removal, unreadable for the account; undo restores every file', async () => {
      const { id, output } = await p.done('document-root.remove', root)
      await p.done('document-root.remove', root, { id })
      expect(await p.sh('ls', '/home/web1')).not.toContain('files.example')
      expect((await as('web1', 'ls', String((output as { trash: string }).trash))).code).not.toBe(0)
      for (const _ of [1, 2]) await p.done('document-root.remove', root, { id, task: 'undo' })
      expect((await as('web1', 'cat', `${root.path}/index.php`)).stdout).toBe('mine')
    })

    test('is removed by undo if it was created, and kept if it existed', async () => {
      const made = await p.done('document-root.ensure', rootOf('undo.example', 'web1'))
      const found = await p.done('document-root.ensure', rootOf('undo.example', 'web1'))
      await p.done('document-root.ensure', rootOf('undo.example', 'web1'), { id: found.id, task: 'undo' })
      expect(await p.sh('ls', '/home/web1')).toContain('undo.example')
      for (const _ of [1, 2])
        await p.done('document-root.ensure', rootOf('undo.example', 'web1'), { id: made.id, task: 'undo' })
      expect(await p.sh('ls', '/home/web1')).not.toContain('undo.example')
    })
  })
})
