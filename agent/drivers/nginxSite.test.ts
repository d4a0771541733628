import { rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { poolOf, rootOf, siteOf } from '../testing/fixtures.ts'
import { labDir, type Practice, practice } from '../testing/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'nginx site' : `nginx site (${verdict.reason})`, () => {
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), 'nginx')
    await p.provision()
    await p.website('first.example')
  })
  afterAll(() => p?.end())

  const write = (file: string, text: string) => writeFileSync(`${p.host.root}${file}`, text)
  const remove = (file: string) => rmSync(`${p.host.root}${file}`, { force: true })
  /** An account's second website, without its nginx site. */
  const prepare = (domain: string) => p.done('document-root.ensure', rootOf(domain))

  test('a new website answers with its first page, by PHP and by all its names, and says nothing of the server', async () => {
    await prepare('shop.example')
    const made = await p.done('nginx-site.ensure', { ...siteOf('shop.example'), aliases: ['www.shop.example'] })
    expect(made.said.join()).toContain('answers 200')
    for (const name of ['shop.example', 'www.shop.example']) {
      const { status, body } = await p.get(name)
      expect(status).toBe(200)
      expect(body).toContain('<h1>shop.example</h1>')
      expect(body).not.toContain('<?')
      expect(body).not.toMatch(/web1|\/home|8\.2/)
    }
  })

  test('twice is harmless and does not reload nginx', async () => {
    await p.done('nginx-site.ensure', siteOf('first.example'))
    const workers = () => p.sh('pgrep', '-f', 'nginx: worker')
    const before = await workers()
    const again = await p.done('nginx-site.ensure', siteOf('first.example'))
    expect(again.said.join()).toContain('already')
    expect(await workers()).toBe(before)
  })

  test('a name that no website has gets no answer', async () => {
    expect((await p.get('nobody.example')).status).toBe(0)
    expect((await p.get('10.0.0.1')).status).toBe(0)
  })

  test('suspended and maintenance answer 503 with a page, on every path, and active serves again', async () => {
    for (const [state, words] of [
      ['suspended', 'suspended'],
      ['maintenance', 'back shortly'],
    ] as const) {
      await p.done('nginx-site.ensure', { ...siteOf('first.example'), state, before: 'active' })
      for (const path of ['/', '/index.php', '/any/where']) {
        const { status, body } = await p.get('first.example', path)
        expect(status).toBe(503)
        expect(body).toContain('<html')
        expect(body).toContain(words)
      }
    }
    expect(await p.sh('curl', '-sI', '-H', 'Host: first.example', 'http://127.0.0.1/')).toMatch(/retry-after: \d+/i)
    await p.done('nginx-site.ensure', siteOf('first.example'))
    expect((await p.get('first.example')).status).toBe(200)
  })

  test('frozen for a move it waits for what its PHP still does', async () => {
    await prepare('slow.example')
    const { path } = rootOf('slow.example')
    write(`${path}/slow.php`, '<?php sleep(3); file_put_contents(__DIR__ . "/written", "all of it"); echo "slow";')
    await p.done('nginx-site.ensure', siteOf('slow.example'))
    const begun = p.get('slow.example', '/slow.php')
    await expect.poll(() => p.sh('cat', '/proc/net/unix')).toMatch(/ 03 +\d+ \/run\/php\/web1-8\.2\.sock/)
    const { output } = await p.done('nginx-site.ensure', { ...siteOf('slow.example'), state: 'moving' })
    expect(output).toMatchObject({ state: 'moving', stillRunning: 0 })
    expect(await p.sh('cat', `${path}/written`)).toBe('all of it')
    expect(await begun).toMatchObject({ status: 200, body: 'slow' })
  })

  test('undo returns to the state before, or takes out what was not there', async () => {
    const suspended = { ...siteOf('first.example'), state: 'suspended' as const, before: 'active' as const }
    const { id } = await p.done('nginx-site.ensure', suspended)
    await p.done('nginx-site.ensure', suspended, { id, task: 'undo' })
    expect((await p.get('first.example')).status).toBe(200)

    await prepare('undone.example')
    const made = await p.done('nginx-site.ensure', siteOf('undone.example'))
    await p.done('nginx-site.ensure', siteOf('undone.example'), { id: made.id, task: 'undo' })
    await p.done('nginx-site.ensure', siteOf('undone.example'), { id: made.id, task: 'undo' })
    expect((await p.get('undone.example')).status).toBe(0)
    expect(await p.sh('nginx', '-T', '-q')).not.toContain('undone.example')
  })

  test('files of dots are not served, .well-known is', async () => {
    const root = rootOf('first.example').path
    await p.sh('mkdir', `${root}/.git`, `${root}/.well-known`)
    for (const file of ['.env', '.git/config', '.well-known/security.txt']) write(`${root}/${file}`, 'content')
    expect((await p.get('first.example', '/.env')).status).toBe(403)
    expect((await p.get('first.example', '/.git/config')).status).toBe(403)
    expect(await p.get('first.example', '/.well-known/security.txt')).toEqual({ status: 200, body: 'content' })
  })

  test('a symlink of the account to a file of the machine is not served, one to its own file is', async () => {
    const root = rootOf('first.example').path
    const asWeb1 = ['setpriv', '--reuid=web1', '--regid=web1', '--clear-groups']
    await p.sh(...asWeb1, 'ln', '-s', '/etc/passwd', `${root}/leak.txt`)
    await p.sh(...asWeb1, 'ln', '-s', `${root}/index.php`, `${root}/own-link.txt`)
    expect((await p.get('first.example', '/leak.txt')).body).not.toContain('root:')
    expect((await p.get('first.example', '/own-link.txt')).body).toContain('<?=')
  })

  test('pretty addresses reach index.php, with path and query', async () => {
    await prepare('pretty.example')
    const code =
      '<?php echo $_SERVER["REQUEST_URI"], "|", $_SERVER["PATH_INFO"] ?? "", "|", $_SERVER["HTTP_PROXY"] ?? "";'
    write(`${rootOf('pretty.example').path}/index.php`, code)
    await p.done('nginx-site.ensure', siteOf('pretty.example'))
    expect((await p.get('pretty.example', '/a/page?x=1')).body).toBe('/a/page?x=1||')
    expect((await p.get('pretty.example', '/index.php/deep?x=1')).body).toBe('/index.php/deep?x=1|/deep|')
    expect((await p.get('pretty.example', '/missing.php')).status).toBe(404)
  })

  test('a broken file planted by hand is named, nothing changes, and every website keeps serving', async () => {
    write('/etc/nginx/conf.d/by-hand.conf', 'server { listen 80; server_name "a b\n')
    await prepare('late.example')
    const refused = await p.op('nginx-site.ensure', siteOf('late.example'))
    expect(refused.status).toBe('failed')
    expect(refused.reason).toContain('/etc/nginx/conf.d/by-hand.conf')
    expect(refused.reason).toContain('Nothing was changed')
    expect((await p.get('first.example')).status).toBe(200)
    expect((await p.get('late.example')).status).toBe(0)
    remove('/etc/nginx/conf.d/by-hand.conf')
    await p.done('nginx-site.ensure', siteOf('late.example'))
    expect((await p.get('late.example')).status).toBe(200)
  })

  test('a name that another file claims is refused, with that file', async () => {
    write('/etc/nginx/conf.d/by-hand.conf', 'server { listen 80; server_name Taken.example; return 200 "by hand"; }\n')
    await p.sh('systemctl', 'reload', 'nginx')
    await prepare('other.example')
    const refused = await p.op('nginx-site.ensure', { ...siteOf('other.example'), aliases: ['taken.example'] })
    expect(refused).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('/etc/nginx/conf.d/by-hand.conf'),
    })
    const other = await p.op('nginx-site.ensure', { ...siteOf('other.example'), aliases: ['first.example'] })
    expect(other).toMatchObject({ status: 'failed', reason: expect.stringContaining('first.example.conf') })
    expect(await p.sh('ls', '/etc/nginx/innkeeper/sites')).not.toContain('other.example')
    expect((await p.get('taken.example')).body).toBe('by hand')
    remove('/etc/nginx/conf.d/by-hand.conf')
  })

  test('an nginx that does not take the new configuration is found out, and the last good file is back', async () => {
    // nginx is frozen: the reload is accepted, returns 0 and nothing happens
    await prepare('frozen.example')
    const master = (await p.sh('cat', '/run/nginx.pid')).trim()
    await p.sh('kill', '-STOP', master)
    const refused = await p.op('nginx-site.ensure', siteOf('frozen.example'))
    await p.sh('kill', '-CONT', master)
    expect(refused).toMatchObject({ status: 'failed', reason: expect.stringContaining('generation') })
    expect(refused.said.join()).toContain('last good')
    expect(await p.sh('ls', '/etc/nginx/innkeeper/sites')).not.toContain('frozen.example')
    await p.done('nginx-site.ensure', siteOf('frozen.example'))
    expect((await p.get('frozen.example')).status).toBe(200)
  })

  test('a website whose PHP does not answer is found out, and the state before is served again', async () => {
    await prepare('gateway.example')
    const refused = await p.op('nginx-site.ensure', { ...siteOf('gateway.example'), phpVersion: '8.9' })
    expect(refused).toMatchObject({ status: 'failed', reason: expect.stringContaining('502') })
    expect((await p.get('gateway.example')).status).toBe(0)
    expect((await p.get('first.example')).status).toBe(200)
  })

  test('hostile values are refused by the agent itself and reach no file', async () => {
    const site = siteOf('first.example')
    const hostile = [
      { ...site, domain: 'x.example;return 200' },
      { ...site, domain: 'x.example\nserver_name y' },
      { ...site, domain: '../../etc/cron.d/x' },
      { ...site, aliases: ['$host'] },
      { ...site, root: '/home/web1/../../etc' },
      { ...site, root: '/etc' },
      { ...site, root: '/home/web1/a;b' },
      { ...site, root: '/home/other/site' },
      { ...site, username: 'web1;id' },
      { ...site, phpVersion: '8.2;' },
      { ...site, state: 'active; return 200' },
    ]
    const before = await p.sh('nginx', '-T', '-q')
    for (const input of hostile)
      expect(await p.anyOp('nginx-site.ensure', input), JSON.stringify(input)).toMatchObject({ status: 'failed' })
    expect(await p.sh('nginx', '-T', '-q')).toBe(before)
  })

  test('inspect says yes only for what nginx really serves', async () => {
    await prepare('seen.example')
    const site = siteOf('seen.example')
    const looked = async () => (await p.op('nginx-site.ensure', site, { inspect: true })).output
    await p.done('nginx-site.ensure', site)
    expect(await looked()).toEqual({ inspected: true })
    // the file is right, and nginx has not read it
    await p.done('nginx-site.ensure', { ...site, state: 'suspended' })
    const text = await p.sh('sh', '-c', 'cat /etc/nginx/innkeeper/sites/first.example.conf')
    write('/etc/nginx/innkeeper/sites/seen.example.conf', text.replaceAll('first.example', 'seen.example'))
    write(
      '/etc/nginx/innkeeper/generation.conf',
      (await p.sh('cat', '/etc/nginx/innkeeper/generation.conf')).replace(/"(\d+)"/, '"9999"'),
    )
    expect(await looked()).not.toEqual({ inspected: true })
    expect((await p.get('seen.example')).status).toBe(200)
  })

  test('removed, a website is gone from nginx with its logs, twice; undo serves it in the state that it had', async () => {
    await prepare('leaving.example')
    const { state, ...site } = siteOf('leaving.example')
    await p.done('nginx-site.ensure', { ...site, state })
    await p.done('nginx-site.ensure', { ...site, state: 'suspended' })
    const { id } = await p.done('nginx-site.remove', site)
    await p.done('nginx-site.remove', site, { id })
    expect((await p.get('leaving.example')).status).toBe(0)
    expect(
      await p.sh('sh', '-c', 'grep -rl leaving.example /etc/nginx /var/log/nginx; ls /var/log/nginx'),
    ).not.toContain('leaving')
    await p.done('nginx-site.remove', site, { id, task: 'undo' })
    expect((await p.get('leaving.example')).status).toBe(503)
  })

  test('other websites answer every request while one comes, changes and goes', async () => {
    await prepare('busy.example')
    const { state, ...site } = siteOf('busy.example')
    const asked = { ok: 0, bad: 0 }
    const until = { stop: false }
    const asking = (async () => {
      while (!until.stop) {
        const { status } = await p.get('first.example')
        asked[status === 200 ? 'ok' : 'bad']++
        await sleep(5)
      }
    })()
    for (let round = 0; round < 4; round++) {
      await p.done('nginx-site.ensure', { ...site, state })
      await p.done('php-pool.ensure', { ...poolOf('web1'), maxChildren: 5 + round })
      await p.done('nginx-site.ensure', { ...site, state: 'suspended' })
      await p.done('nginx-site.remove', site)
    }
    until.stop = true
    await asking
    expect(asked.bad).toBe(0)
    expect(asked.ok).toBeGreaterThan(20)
  })

  test('a kill -9 at any moment of a change leaves an nginx that starts, and the repeat converges', async () => {
    await prepare('killed.example')
    const site = siteOf('killed.example')
    for (let round = 0; round < 12; round++) {
      await p.done('nginx-site.remove', {
        domain: site.domain,
        username: 'web1',
        root: site.root,
        phpVersion: '8.2',
        aliases: [],
      })
      await p.killAfter(40 + round * 15, 'nginx-site.ensure', site)
      await p.sh('nginx', '-t', '-q')
      expect((await p.get('first.example')).status).toBe(200)
      const again = await p.done('nginx-site.ensure', site, { inspect: true })
      if (again.output) expect((await p.get('killed.example')).status).toBe(200)
    }
    expect(await p.sh('ls', '/etc/nginx/innkeeper', '/etc/nginx/innkeeper/sites')).not.toMatch(/last-good|\.new/)
  })
})
