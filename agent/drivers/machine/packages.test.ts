import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { letPass } from '../../../bin/pass.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'packages' : `packages (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'packages')
  })
  afterAll(() => p?.end())

  test('finishes at once without apt when all packages are installed', async () => {
    const carried = await p.done('packages.ensure', { packages: ['nginx-light', 'php8.2-fpm'] })
    expect(carried.output).toEqual({ installed: [] })
    expect(carried.said).toEqual(['2 packages are installed already'])
  })

  test('installs a missing package with its output lines, and keeps it on undo', async () => {
    const { id, output, said } = await p.done('packages.ensure', { packages: ['nginx-light', 'hello'] })
    expect(output).toEqual({ installed: ['hello'] })
    expect(said).toContainEqual(expect.stringMatching(/^Setting up hello/))
    expect(await p.sh('hello')).toContain('Hello')
    await p.done('packages.ensure', { packages: ['hello'] }, { id, task: 'undo' })
    expect(await p.sh('hello')).toContain('Hello')
  })

  test('finds a name with a plus, and a package for all architectures', async () => {
    const { output } = await p.done('packages.ensure', { packages: ['libsigc++-2.0-0v5', 'javascript-common'] })
    expect(output).toEqual({ installed: ['libsigc++-2.0-0v5', 'javascript-common'] })
  })

  /** Holds a record lock like apt's until /tmp/held is removed; flock's lock is of another kind. */
  async function hold(path: string) {
    const lock = `open my $f, ">", "${path}";
      my $l = pack("s s x4 q q i", F_WRLCK, 0, 0, 0, 0); fcntl($f, F_SETLK, $l) or die;
      mkdir "/tmp/held"; select(undef, undef, undef, 0.02) while -e "/tmp/held"`
    const holder = p.host.exec(['perl', '-MFcntl', '-e', lock])
    await p.sh('sh', '-c', 'until [ -e /tmp/held ]; do sleep 0.02; done')
    return { ended: () => holder }
  }

  test('waits while another process holds dpkg’s lock', async () => {
    await p.sh('apt-get', '-y', '-q', 'remove', 'hello')
    const holder = await hold('/var/lib/dpkg/lock-frontend')
    let ended = false
    const installing = p.done('packages.ensure', { packages: ['hello'] }).finally(() => {
      ended = true
    })
    await letPass(3000, 'the agent looks at the lock every two seconds')
    expect(ended).toBe(false)
    await p.sh('rmdir', '/tmp/held')
    await installing
    expect(await holder.ended()).toMatchObject({ code: 0 })
    expect(await p.sh('hello')).toContain('Hello')
  })

  test('waits while another process downloads the package lists', async () => {
    const holder = await hold('/var/lib/apt/lists/lock')
    const asking = p.op('packages.ensure', { packages: ['no-such-package'] })
    await letPass(3000, 'the first attempt finds the lock')
    await p.sh('rmdir', '/tmp/held')
    expect(await asking).toMatchObject({ status: 'failed', reason: expect.stringContaining('no such package') })
    expect(await holder.ended()).toMatchObject({ code: 0 })
  })

  test('completes an interrupted installation', async () => {
    await p.sh('apt-get', '-y', '-q', 'remove', 'hello')
    await p.sh('sh', '-c', 'cd /tmp && apt-get -q download hello && dpkg --unpack hello_*.deb')
    await p.done('packages.ensure', { packages: ['hello'] })
    expect(await p.sh('hello')).toContain('Hello')
  })

  test('tells dpkg’s reason, such as a full disk', async () => {
    await p.sh('apt-get', '-y', '-q', 'remove', 'hello')
    await p.sh('mount', '-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', '/usr/share/info')
    const carried = await p.op('packages.ensure', { packages: ['hello'] })
    await p.sh('umount', '/usr/share/info')
    expect(carried).toMatchObject({ status: 'failed', reason: expect.stringMatching(/^Disk full.*No space left/s) })
    await p.done('packages.ensure', { packages: ['hello'] })
  })

  test('names a missing package', async () => {
    const carried = await p.op('packages.ensure', { packages: ['no-such-package'] })
    expect(carried).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('no such package: no-such-package'),
    })
  })

  test('matches exact names only, without apt’s patterns', async () => {
    const before = await p.sh('dpkg-query', '--show')
    for (const name of ['hell.', 'curl+', 'libc6.'])
      expect(await p.anyOp('packages.ensure', { packages: [name] }), name).toMatchObject({ status: 'failed' })
    expect(await p.anyOp('packages.ensure', { packages: ['nginx-light-'] })).toMatchObject({ status: 'failed' })
    expect(await p.sh('dpkg-query', '--show')).toBe(before)
  })

  test('refuses invalid names before calling apt', async () => {
    for (const name of ['--allow-unauthenticated', 'x;id', '-o=Dpkg::Pre-Invoke::=id', './x.deb', 'a b', ''])
      expect(await p.anyOp('packages.ensure', { packages: [name] })).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('refuses'),
      })
  })
})
