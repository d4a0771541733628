import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits, poolOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'pools at once' : `pools at once (${verdict.reason})`, () => {
  let p: Practice<Host>
  const names = ['one', 'two', 'three', 'four', 'five', 'six']
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'pools-once')
    await p.provision()
    await p.website('first.example')
  })
  afterAll(() => p?.end())

  const running = async () =>
    (await p.sh('systemctl', 'list-units', '--plain', '--no-legend', '--state=running', 'innkeeper-php8.2@*'))
      .split('\n')
      .flatMap((line) => line.match(/@(\w+)\.service/)?.[1] ?? [])
      .sort()

  test('accounts that come at once have their limits, and are there after a restart', async () => {
    await Promise.all(names.map((username) => p.done('system-user.ensure', { username, limits })))
    for (const name of names)
      expect(await p.sh('systemctl', 'show', '--property=MemoryMax', '--value', `innkeeper-${name}.slice`)).toBe(
        `${limits.memoryMb * 1_048_576}\n`,
      )
    // a changed limit counts at once, too
    await p.done('system-user.ensure', { username: 'one', limits: { ...limits, memoryMb: 300 } })
    expect(await p.sh('systemctl', 'show', '--property=MemoryMax', '--value', 'innkeeper-one.slice')).toBe(
      `${300 * 1_048_576}\n`,
    )
  })

  test('are set up beside each other, and one that is refused stops no other', async () => {
    // php-fpm cannot bind the socket of this one
    await p.sh('mkdir', '-p', '/run/php/three-8.2.sock/taken')
    const ended = await Promise.all(names.map((username) => p.op('php-pool.ensure', poolOf(username))))
    expect(ended.map(({ status }) => status)).toEqual(['done', 'done', 'failed', 'done', 'done', 'done'])
    expect(await running()).toEqual(['five', 'four', 'one', 'six', 'two', 'web1'])
    expect((await p.host.exec(['ls', '/etc/innkeeper/php/8.2/three.conf'])).code).not.toBe(0)
    await p.sh('rm', '-r', '/run/php/three-8.2.sock')
    await p.done('php-pool.ensure', poolOf('three'))
    expect(await running()).toContain('three')
  })

  test('two changes of one pool go one after the other; setting up PHP waits for all of them', async () => {
    const sizes = [5, 6, 7, 8]
    const ended = await Promise.all([
      ...sizes.map((maxChildren) => p.op('php-pool.ensure', { ...poolOf('one'), maxChildren })),
      p.op('php.ensure', { phpVersion: '8.2' }),
      ...sizes.map((maxChildren) => p.op('php-pool.ensure', { ...poolOf('two'), maxChildren })),
    ])
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'done'))
    for (const name of ['one', 'two'])
      expect(await p.sh('grep', 'max_children', `/etc/innkeeper/php/8.2/${name}.conf`)).toContain('= 8')
  })

  test('start again after a power cut', async () => {
    await p.host.off()
    await p.host.up()
    await expect.poll(running).toEqual([...names, 'web1'].sort())
  })
})
