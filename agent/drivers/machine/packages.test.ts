import { setTimeout as sleep } from 'node:timers/promises'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labDir, type Practice, practice } from '../../testing/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'packages' : `packages (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'packages')
  })
  afterAll(() => p?.end())

  test('what is there already is done at once, and nothing is asked of apt', async () => {
    const carried = await p.done('packages.ensure', { packages: ['nginx-light', 'php8.2-fpm'] })
    expect(carried.output).toEqual({ installed: [] })
    expect(carried.said).toEqual(['2 packages are installed already'])
  })

  test('a missing package is installed, line by line, and stays when it is undone', async () => {
    const { id, output, said } = await p.done('packages.ensure', { packages: ['nginx-light', 'hello'] })
    expect(output).toEqual({ installed: ['hello'] })
    expect(said).toContainEqual(expect.stringMatching(/^Setting up hello/))
    expect(await p.sh('hello')).toContain('Hello')
    await p.done('packages.ensure', { packages: ['hello'] }, { id, task: 'undo' })
    expect(await p.sh('hello')).toContain('Hello')
  })

  test('a name with a plus, and one for all architectures, are found', async () => {
    const { output } = await p.done('packages.ensure', { packages: ['libsigc++-2.0-0v5', 'javascript-common'] })
    expect(output).toEqual({ installed: ['libsigc++-2.0-0v5', 'javascript-common'] })
  })

  test('it waits while somebody else holds the lock of dpkg', async () => {
    await p.sh('apt-get', '-y', '-q', 'remove', 'hello')
    // a record lock, as apt takes it: flock's is another kind
    const lock = `open my $f, ">", "/var/lib/dpkg/lock-frontend";
      my $l = pack("s s x4 q q i", F_WRLCK, 0, 0, 0, 0); fcntl($f, F_SETLK, $l) or die;
      mkdir "/tmp/held"; select(undef, undef, undef, 0.02) while -e "/tmp/held"`
    const holder = p.host.exec(['perl', '-MFcntl', '-e', lock])
    await p.sh('sh', '-c', 'until [ -e /tmp/held ]; do sleep 0.02; done')
    let ended = false
    const installing = p.done('packages.ensure', { packages: ['hello'] }).finally(() => {
      ended = true
    })
    await p.sh('sh', '-c', 'until pgrep -x apt-get; do sleep 0.02; done')
    await sleep(1000) // apt looks at the lock each second
    expect(ended).toBe(false)
    await p.sh('rmdir', '/tmp/held')
    await installing
    expect(await holder).toMatchObject({ code: 0 })
    expect(await p.sh('hello')).toContain('Hello')
  })

  test('an interrupted installation is completed', async () => {
    await p.sh('apt-get', '-y', '-q', 'remove', 'hello')
    await p.sh('sh', '-c', 'cd /tmp && apt-get -q download hello && dpkg --unpack hello_*.deb')
    await p.done('packages.ensure', { packages: ['hello'] })
    expect(await p.sh('hello')).toContain('Hello')
  })

  test('a package that does not exist is named', async () => {
    const carried = await p.op('packages.ensure', { packages: ['no-such-package'] })
    expect(carried).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('no such package: no-such-package'),
    })
  })

  test('a name is that package or none: apt would read patterns and orders', async () => {
    const before = await p.sh('dpkg-query', '--show')
    for (const name of ['hell.', 'curl+', 'libc6.'])
      expect(await p.anyOp('packages.ensure', { packages: [name] }), name).toMatchObject({ status: 'failed' })
    expect(await p.anyOp('packages.ensure', { packages: ['nginx-light-'] })).toMatchObject({ status: 'failed' })
    expect(await p.sh('dpkg-query', '--show')).toBe(before)
  })

  test('names that are no packages are refused before apt sees them', async () => {
    for (const name of ['--allow-unauthenticated', 'x;id', '-o=Dpkg::Pre-Invoke::=id', './x.deb', 'a b', ''])
      expect(await p.anyOp('packages.ensure', { packages: [name] })).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('refuses'),
      })
  })
})
