import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits, poolOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'Redis' : `Redis (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'redis')
    await p.provision()
    await p.done('packages.ensure', { packages: ['redis-server', 'php8.2-redis'] })
    for (const username of ['web1', 'web2']) await p.done('system-user.ensure', { username, limits })
    await p.done('php-pool.ensure', poolOf('web1'))
  })
  afterAll(() => p?.end())

  const cacheOf = (websiteId: number, username = 'web1') =>
    ({ websiteId, username, memoryMb: 16, state: 'active' }) as const
  const socketOf = (websiteId: number) => `/run/innkeeper-redis/${websiteId}/redis.sock`
  const cli = (as: string, websiteId: number, ...argv: string[]) =>
    p.host.exec([
      ...['setpriv', `--reuid=${as}`, `--regid=${as}`, '--clear-groups'],
      ...['redis-cli', '-s', socketOf(websiteId), ...argv],
    ])
  const said = async (as: string, websiteId: number, ...argv: string[]) => {
    const { stdout, stderr } = await cli(as, websiteId, ...argv)
    return (stdout + stderr).trim()
  }
  const isActive = async (websiteId: number) =>
    (await p.host.exec(['systemctl', 'is-active', `innkeeper-redis@${websiteId}`])).stdout.trim()

  test('runs per website on a socket, in the slice of its account; idempotent', async () => {
    await p.done('redis.ensure', { ...cacheOf(11), phpVersion: '8.2' })
    expect(await said('web1', 11, 'PING')).toBe('PONG')
    const since = () => p.sh('systemctl', 'show', '--property=ActiveEnterTimestampMonotonic', 'innkeeper-redis@11')
    const before = await since()
    expect((await p.done('redis.ensure', cacheOf(11))).said.join()).toContain('as it should be')
    expect(await since()).toBe(before)
    expect(await p.sh('systemctl', 'show', '--property=Slice', '--value', 'innkeeper-redis@11')).toBe(
      'innkeeper-web1.slice\n',
    )
    expect((await p.done('redis.ensure', cacheOf(11), { inspect: true })).output).toEqual({ inspected: true })
  })

  test('refuses other accounts, and listens on no port', async () => {
    await p.done('redis.ensure', cacheOf(12, 'web2'))
    expect(await said('web2', 12, 'PING')).toBe('PONG')
    expect(await said('web2', 11, 'PING')).toContain('Permission denied')
    expect(await said('web1', 12, 'PING')).toContain('Permission denied')
    expect(
      (await p.host.exec(['setpriv', '--reuid=web2', '--clear-groups', 'ls', '/run/innkeeper-redis/11'])).code,
    ).toBe(2)
    expect(await p.sh('ss', '--listening', '--tcp', '--numeric')).not.toContain(':6379')
    expect((await p.host.exec(['systemctl', 'is-enabled', 'redis-server'])).stdout).toBe('masked\n')
  })

  test('stays within its memory, evicts the least recently used keys, and stores nothing on disk', async () => {
    const many = `awk 'BEGIN { for (i = 0; i < 30000; i++) printf "SET k%d %01024d\\r\\n", i, i }'`
    await p.sh(
      ...['setpriv', '--reuid=web1', '--regid=web1', '--clear-groups'],
      ...['sh', '-c', `${many} | redis-cli -s ${socketOf(11)} --pipe`],
    )
    const { output } = await p.done('redis.status', { websiteId: 11, username: 'web1' })
    const { up, usedBytes, maxBytes, evicted, keys } = output as Record<string, number> // the driver's output
    expect([up, maxBytes]).toEqual([true, 16 * 1_048_576])
    expect(usedBytes).toBeLessThanOrEqual(17 * 1_048_576)
    expect(evicted).toBeGreaterThan(10_000)
    expect(keys).toBeGreaterThan(1000)
    for (const words of [['CONFIG', 'SET', 'maxmemory', '0'], ['SAVE'], ['SHUTDOWN'], ['REPLICAOF', '10.0.0.1', '1']])
      expect(await said('web1', 11, ...words)).toMatch(/^ERR unknown command/)
    expect(await p.sh('find', '/run/innkeeper-redis/11', '/var/lib/redis', '-name', '*.rdb')).toBe('')
  })

  test('runs on without keys after it was emptied', async () => {
    await said('web1', 11, 'SET', 'kept', 'of a website as it was')
    await p.done('redis.ensure', cacheOf(11))
    expect(await said('web1', 11, 'GET', 'kept')).toBe('of a website as it was')
    await p.done('redis.ensure', { ...cacheOf(11), empty: true })
    expect(await said('web1', 11, 'DBSIZE')).toBe('0')
    expect((await p.op('redis.ensure', { ...cacheOf(11), empty: true }, { inspect: true })).status).toBe('done')
    expect((await p.done('redis.ensure', cacheOf(11))).said.join()).toContain('as it should be')
    // undo of emptying also empties, because the restored website has other data
    const emptied = { ...cacheOf(11), empty: true } as const
    await p.done('redis.ensure', emptied, { id: 9051 })
    await said('web1', 11, 'SET', 'kept', 'of tables that go')
    await p.done('redis.ensure', emptied, { id: 9051, task: 'undo' })
    expect(await said('web1', 11, 'DBSIZE')).toBe('0')
  })

  test('is reachable by the website’s PHP', async () => {
    await p.sh(
      ...['sh', '-c'],
      `printf '%s' '<?php $r = new Redis(); $r->connect("${socketOf(11)}"); $r->set("from", "php"); echo $r->get("from");' > /home/web1/tmp/r.php`,
    )
    const { stdout } = await p.host.exec([
      ...['setpriv', '--reuid=web1', '--regid=web1', '--clear-groups', 'php8.2', '-d', 'open_basedir=/home/web1/'],
      '/home/web1/tmp/r.php',
    ])
    expect(stdout).toBe('php')
  })

  test('stops when suspended, also after a reboot; undo starts it', async () => {
    await p.done('redis.ensure', { ...cacheOf(11), state: 'suspended' }, { id: 9001 })
    expect(await isActive(11)).toBe('inactive')
    expect((await p.done('redis.status', { websiteId: 11, username: 'web1' })).output).toMatchObject({ up: false })
    await p.done('redis.ensure', { ...cacheOf(11), state: 'suspended' }, { id: 9001, task: 'undo' })
    expect(await said('web1', 11, 'PING')).toBe('PONG')
  })

  test('restarts after a kill, and after a power cut', async () => {
    await p.sh('systemctl', 'kill', '--signal=KILL', 'innkeeper-redis@11')
    await expect.poll(() => said('web1', 11, 'PING')).toBe('PONG')
    await p.host.off()
    await p.host.up()
    await expect.poll(() => said('web1', 11, 'PING')).toBe('PONG')
  })

  test('leaves no trace when removed; undo restores its settings', async () => {
    await p.done('redis.ensure', cacheOf(13))
    expect((await p.op('system-user.remove', { username: 'web2' })).reason).toContain('Redis cache')
    await p.done('redis.remove', { websiteId: 13, username: 'web1' }, { id: 9101 })
    expect(await isActive(13)).toBe('inactive')
    expect((await p.host.exec(['ls', '/etc/systemd/system/innkeeper-redis@13.service.d'])).code).toBe(2)
    await p.done('redis.remove', { websiteId: 13, username: 'web1' }, { id: 9101, task: 'undo' })
    expect(await said('web1', 13, 'INFO', 'memory')).toContain(`maxmemory:${16 * 1_048_576}`)
    await p.done('redis.remove', { websiteId: 13, username: 'web1' })
  })

  test('undo of the creation removes it, and of no change keeps it', async () => {
    await p.done('redis.ensure', cacheOf(14), { id: 9201 })
    await p.done('redis.ensure', cacheOf(14), { id: 9202 })
    await p.done('redis.ensure', cacheOf(14), { id: 9202, task: 'undo' })
    expect(await isActive(14)).toBe('active')
    await p.done('redis.ensure', cacheOf(14), { id: 9201, task: 'undo' })
    expect(await isActive(14)).toBe('inactive')
  })

  test('completes the change after a kill at any moment', async () => {
    for (const ms of [20, 120, 250, 400, 700]) await p.killAfter(ms, 'redis.ensure', cacheOf(15))
    await p.done('redis.ensure', cacheOf(15), { inspect: true })
    expect(await said('web1', 15, 'PING')).toBe('PONG')
  })

  test('is refused for an unknown account', async () => {
    expect((await p.op('redis.ensure', cacheOf(16, 'nobody1'))).reason).toBe('nobody1 has no account on this server')
    expect(await isActive(16)).toBe('inactive')
  })

  test('is refused without systemd, with a message', async () => {
    await p.hideSystemd()
    expect((await p.op('redis.ensure', cacheOf(17))).reason).toContain('needs systemd')
  })
})
