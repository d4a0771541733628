import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { heartbeat } from '../../heartbeat.ts'
import { poolOf, siteOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'a second PHP' : `a second PHP (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'phptwo')
    await p.provision()
    await p.website('moves.example', 'moves')
    await p.website('stays.example', 'stays')
    for (const name of ['moves', 'stays']) {
      const file = `/home/${name}/${name}.example/public/version.php`
      await p.sh('sh', '-c', `echo '<?= PHP_VERSION, " ", get_current_user();' >${file} && chown ${name}: ${file}`)
    }
  })
  afterAll(() => p?.end())
  const version = async (name: string) => (await p.get(`${name}.example`, '/version.php')).body
  const at84 = { ...siteOf('moves.example', 'moves'), phpVersion: '8.4', before: 'active' as const, beforePhp: '8.2' }

  test('installs a version missing in the package sources from its Debian release, in its own root', async () => {
    const { said } = await p.done('php-version.ensure', { phpVersion: '8.4' })
    expect(said.join('\n')).toContain('Debian trixie')
    await p.done('php.ensure', { phpVersion: '8.4' })
    expect(await p.sh('php-fpm8.4', '--version')).toMatch(/^PHP 8\.4\./)
    expect(await p.sh('php-fpm8.2', '--version')).toMatch(/^PHP 8\.2\./)
    expect((await p.done('php-version.ensure', { phpVersion: '8.4' })).said.join()).toContain('already')
    // the packages of the other Debian release are installed in their own root, not in the host itself
    expect((await p.host.exec(['dpkg-query', '--show', 'php8.4-fpm'])).code).not.toBe(0)
  })

  test('switches a website to it and back, without effect on the website beside it', async () => {
    expect([await version('moves'), await version('stays')]).toEqual([
      expect.stringMatching(/^8\.2\.\d+ moves$/),
      expect.stringMatching(/^8\.2\.\d+ stays$/),
    ])
    await p.done('php-pool.ensure', { ...poolOf('moves'), phpVersion: '8.4' })
    const { id } = await p.done('nginx-site.ensure', at84)
    expect([await version('moves'), await version('stays')]).toEqual([
      expect.stringMatching(/^8\.4\.\d+ moves$/),
      expect.stringMatching(/^8\.2\.\d+ stays$/),
    ])
    await p.done('nginx-site.ensure', at84, { id, task: 'undo' })
    expect(await version('moves')).toMatch(/^8\.2\./)
    await p.done('nginx-site.ensure', at84)
    await p.done('php-pool.remove', { username: 'moves', phpVersion: '8.2' })
    expect(await version('moves')).toMatch(/^8\.4\./)
  })

  test('applies limits to it, and starts it after a power cut', async () => {
    const unit = await p.sh('systemctl', 'show', '--property=Slice', 'innkeeper-php8.4@moves')
    expect(unit).toBe('Slice=innkeeper-moves.slice\n')
    await p.host.off()
    await p.host.up()
    await expect.poll(() => version('moves')).toMatch(/^8\.4\./)
    expect(await version('stays')).toMatch(/^8\.2\./)
  })

  test('reports both versions in the heartbeat', async () => {
    const { output } = await p.done('server.inspect', {})
    const { services } = output as Awaited<ReturnType<typeof heartbeat>>
    const found = services.filter(({ name }) => name === 'php-fpm').map(({ detail, state }) => `${detail} ${state}`)
    expect(found.sort()).toEqual(['PHP 8.2 active', 'PHP 8.4 active'])
  })

  test('refuses a version that no source has', async () => {
    expect(await p.op('php-version.ensure', { phpVersion: '5.3' })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('have PHP 5.3'),
    })
  })
})
