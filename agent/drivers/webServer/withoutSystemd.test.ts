import { rmSync, writeFileSync } from 'node:fs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits, poolOf, rootOf, siteOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'without systemd' : `without systemd (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'plain')
    await p.hideSystemd()
    await p.provision()
  })
  afterAll(() => p?.end())

  test('starts nginx and PHP by their init scripts, idempotently, and serves a website', async () => {
    await p.provision()
    await p.website('shop.example')
    await p.website('other.example', 'web2')
    expect((await p.get('shop.example')).body).toContain('shop.example')
    expect((await p.get('unknown.example')).status).toBe(0)
    expect(await p.sh('systemctl', 'is-active', 'nginx').catch(String)).not.toMatch(/^active/)
  })

  test('reports that limits are not enforced', async () => {
    const made = await p.done('system-user.ensure', { username: 'web1', limits })
    expect(made.said.join()).toContain('not enforced here')
    const { output } = await p.done('server.inspect', {})
    expect(output).toMatchObject({
      notEnforced: [expect.stringContaining('memory, CPU'), expect.stringContaining('disk limits')],
      services: expect.arrayContaining([
        expect.objectContaining({ name: 'nginx', state: 'active' }),
        expect.objectContaining({ name: 'php-fpm', state: 'active' }),
      ]),
    })
  })

  test('answers 503 while suspended, runs a changed pool, and keeps the pools of others running', async () => {
    await p.done('nginx-site.ensure', { ...siteOf('shop.example'), state: 'suspended' })
    expect((await p.get('shop.example')).status).toBe(503)
    await p.done('nginx-site.ensure', siteOf('shop.example'))
    await p.done('php-pool.ensure', { ...poolOf('web1'), memoryLimitMb: 77 })
    writeFileSync(`${p.host.root}${rootOf('shop.example').path}/m.php`, '<?php echo ini_get("memory_limit");')
    expect((await p.get('shop.example', '/m.php')).body).toBe('77M')
    expect((await p.get('other.example')).status).toBe(200)
  })

  test('names a faulty pool, reloads nothing, and keeps serving all websites', async () => {
    const bad = `${p.host.root}/etc/php/8.2/fpm/pool.d/by-hand.conf`
    writeFileSync(bad, '[bad]\nuser = nosuch\nlisten=/run/php/bad.sock\npm=ondemand\npm.max_children=2\n')
    const refused = await p.op('php-pool.ensure', { ...poolOf('web1'), memoryLimitMb: 88 })
    expect(refused).toMatchObject({ status: 'failed', reason: expect.stringContaining('bad') })
    expect((await p.get('shop.example', '/m.php')).body).toBe('77M')
    expect((await p.get('other.example')).status).toBe(200)
    rmSync(bad)
    await p.done('php-pool.ensure', { ...poolOf('web1'), memoryLimitMb: 88 })
    expect((await p.get('shop.example', '/m.php')).body).toBe('88M')
  })

  test('removes a website without a trace, and keeps the others', async () => {
    const { state: _, ...site } = siteOf('shop.example')
    await p.done('nginx-site.remove', site)
    await p.done('php-pool.remove', { username: 'web1', phpVersion: '8.2' })
    await p.done('document-root.remove', rootOf('shop.example'))
    await p.done('system-user.remove', { username: 'web1' })
    expect(
      await p.sh('sh', '-c', 'ls /home /run/php /etc/php/8.2/fpm/pool.d /etc/nginx/innkeeper/sites; getent passwd'),
    ).not.toContain('web1')
    expect((await p.get('other.example')).status).toBe(200)
  })
})
