import { rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { letPass } from '../../../bin/pass.ts'
import { apacheCases } from '../../test/apacheCases.ts'
import { poolOf, rootOf, siteOf } from '../../test/fixtures.ts'
import { forwardCases } from '../../test/forwardCases.ts'
import { nginxCases } from '../../test/nginxCases.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'
import { webs } from './test/webs.ts'

const verdict = await can(labDir)
const title = verdict.able ? '$web site' : `$web site (${verdict.reason})`
describe.skipIf(!verdict.able).for(webs)(title, ({ web, etc, byHand, ...its }) => {
  const ensure = `${web}-site.ensure` as const
  const removal = `${web}-site.remove` as const
  const logs = `/var/log/${etc.slice('/etc/'.length)}`
  let p: Practice<Host>
  beforeAll(async () => {
    p = await practice(await openLab({ dir: labDir }), web)
    await p.provision(web)
    await p.website('first.example')
  })
  afterAll(() => p?.end())

  const write = (file: string, text: string) => writeFileSync(`${p.host.root}${file}`, text)
  const remove = (file: string) => rmSync(`${p.host.root}${file}`, { force: true })
  /** A second website of the account, not served yet. */
  const prepare = (domain: string) => p.done('document-root.ensure', rootOf(domain))

  test('serves the first page of a new website, by PHP and all its names, without details of the server', async () => {
    await prepare('shop.example')
    const made = await p.done(ensure, { ...siteOf('shop.example'), aliases: ['www.shop.example'] })
    expect(made.said.join()).toContain('answers 200')
    for (const name of ['shop.example', 'www.shop.example']) {
      const { status, body } = await p.get(name)
      expect(status).toBe(200)
      expect(body).toContain('<h1>shop.example</h1>')
      expect(body).not.toContain('<?')
      expect(body).not.toMatch(/web1|\/home|8\.2/)
    }
  })

  test('compresses text for clients that accept it', async () => {
    const style = `${rootOf('first.example').path}/style.css`
    await p.sh('sh', '-c', `seq 1 5000 > ${style}`)
    const asked = (encoding: string) =>
      p.sh(
        ...['curl', '-s', '-o', '/dev/null', '-D', '-', '-w', 'bytes %{size_download}', '-H', 'Host: first.example'],
        ...['-H', `Accept-Encoding: ${encoding}`, 'http://127.0.0.1/style.css'],
      )
    const [small, whole] = [await asked('gzip'), await asked('identity')]
    const bytes = (text: string) => Number(text.match(/bytes (\d+)$/)?.[1])
    expect(small).toMatch(/^content-encoding: gzip\r$/im)
    expect(bytes(small)).toBeLessThan(bytes(whole) / 2)
    for (const answer of [small, whole]) expect(answer).toMatch(/^vary: accept-encoding\r$/im)
  })

  test('is idempotent and reloads nothing', async () => {
    await p.done(ensure, siteOf('first.example'))
    const workers = () => p.sh('pgrep', '-f', its.workers)
    const before = await workers()
    const again = await p.done(ensure, siteOf('first.example'))
    expect(again.said.join()).toContain('already')
    expect(await workers()).toBe(before)
  })

  test('answers no unknown name with a website', async () => {
    for (const name of ['nobody.example', '10.0.0.1'])
      expect(await p.get(name)).toMatchObject({ status: its.refuses, body: its.refuses ? ' ' : '' })
  })

  test('answers 503 with a page on every path while suspended or in maintenance, and serves again when active', async () => {
    for (const [state, words] of [
      ['suspended', 'suspended'],
      ['maintenance', 'back shortly'],
    ] as const) {
      await p.done(ensure, { ...siteOf('first.example'), state, before: 'active' })
      for (const path of ['/', '/index.php', '/any/where']) {
        const { status, body } = await p.get('first.example', path)
        expect(status).toBe(503)
        expect(body).toContain('<html')
        expect(body).toContain(words)
      }
    }
    expect(await p.sh('curl', '-sI', '-H', 'Host: first.example', 'http://127.0.0.1/')).toMatch(/retry-after: \d+/i)
    await p.done(ensure, siteOf('first.example'))
    expect((await p.get('first.example')).status).toBe(200)
  })

  test('waits at a freeze for running PHP, queued requests and open connections', async () => {
    await prepare('slow.example')
    const { path } = rootOf('slow.example')
    const waits = 'for ($i = 0; $i < 1000 && !file_exists("go"); $i++) usleep(20000);'
    write(`${path}/slow.php`, `<?php ${waits} file_put_contents("written", "x", FILE_APPEND); echo "slow";`)
    await p.done(ensure, siteOf('slow.example'))
    // an open connection completes its request once its worker is shutting down, which the worker awaits for two seconds
    const complete = `exec 3<>/dev/tcp/127.0.0.1/80; printf 'GET /slow.php HTTP/1.0\\r\\n' >&3; touch ${path}/connected
      until grep -qsa 'shutting[ ]down' /proc/[0-9]*/cmdline; do sleep 0.02; done
      printf 'Host: slow.example\\r\\n\\r\\n' >&3; cat <&3`
    const late = web === 'nginx' ? p.sh('bash', '-c', complete) : undefined
    if (late) await expect.poll(() => p.sh('ls', path)).toContain('connected')
    const begun = Array.from({ length: poolOf().maxChildren + 1 }, () => p.get('slow.example', '/slow.php'))
    // all of them run or wait in the queue: a first one may wait there while PHP starts
    const requests = async () => (await p.sh('cat', '/proc/net/unix')).match(/ 0[23] +\d+ \/run\/php\/web1-8\.2\.sock/g)
    await expect.poll(requests).toHaveLength(begun.length)
    const freezing = p.done(ensure, { ...siteOf('slow.example'), state: 'moving' })
    const mark = async () => (await p.get('slow.example', '/.well-known/innkeeper')).body
    await expect.poll(mark).toContain('moving') // requests to PHP have to wait
    write(`${path}/go`, '')
    expect((await freezing).output).toMatchObject({ state: 'moving', stillRunning: 0 })
    expect(await p.sh('cat', `${path}/written`)).toBe('x'.repeat(begun.length + (late ? 1 : 0)))
    for (const one of begun) expect(await one).toMatchObject({ status: 200, body: 'slow' })
    if (late) expect(await late).toContain('slow')
  })

  test('undo restores the former state, or removes a website that was not served', async () => {
    const suspended = { ...siteOf('first.example'), state: 'suspended' as const, before: 'active' as const }
    const { id } = await p.done(ensure, suspended)
    await p.done(ensure, suspended, { id, task: 'undo' })
    expect((await p.get('first.example')).status).toBe(200)

    await prepare('undone.example')
    const made = await p.done(ensure, siteOf('undone.example'))
    await p.done(ensure, siteOf('undone.example'), { id: made.id, task: 'undo' })
    await p.done(ensure, siteOf('undone.example'), { id: made.id, task: 'undo' })
    expect((await p.get('undone.example')).status).toBe(its.refuses)
    expect(await p.sh('sh', '-c', its.dump)).not.toContain('undone.example')
  })

  test('serves .well-known and no other dot files', async () => {
    const root = rootOf('first.example').path
    await p.sh('mkdir', `${root}/.git`, `${root}/.well-known`)
    for (const file of ['.env', '.git/config', '.well-known/security.txt']) write(`${root}/${file}`, 'content')
    expect((await p.get('first.example', '/.env')).status).toBe(403)
    expect((await p.get('first.example', '/.git/config')).status).toBe(403)
    expect(await p.get('first.example', '/.well-known/security.txt')).toEqual({ status: 200, body: 'content' })
  })

  test('follows symlinks to the account’s own files only', async () => {
    const root = rootOf('first.example').path
    const asWeb1 = ['setpriv', '--reuid=web1', '--regid=web1', '--clear-groups']
    await p.sh(...asWeb1, 'ln', '-s', '/etc/passwd', `${root}/leak.txt`)
    await p.sh(...asWeb1, 'ln', '-s', `${root}/index.php`, `${root}/own-link.txt`)
    expect((await p.get('first.example', '/leak.txt')).body).not.toContain('root:')
    expect((await p.get('first.example', '/own-link.txt')).body).toContain('<?=')
  })

  test('routes pretty URLs to index.php, with path and query', async () => {
    await prepare('pretty.example')
    const code =
      '<?php echo $_SERVER["REQUEST_URI"], "|", $_SERVER["PATH_INFO"] ?? "", "|", $_SERVER["HTTP_PROXY"] ?? "";'
    write(`${rootOf('pretty.example').path}/index.php`, code)
    await p.done(ensure, siteOf('pretty.example'))
    expect((await p.get('pretty.example', '/a/page?x=1')).body).toBe('/a/page?x=1||')
    expect((await p.get('pretty.example', '/index.php/deep?x=1')).body).toBe('/index.php/deep?x=1|/deep|')
    expect((await p.get('pretty.example', '/missing.php')).status).toBe(404)
  })

  test('PHP and the log see the visitor of an edge; the same headers from anybody else are dropped', async () => {
    await prepare('visited.example')
    const code =
      '<?php unset($_SERVER["HTTP_HOST"], $_SERVER["HTTP_USER_AGENT"], $_SERVER["HTTP_ACCEPT"]); foreach ($_SERVER as $n => $v) if ($v !== "" && preg_match("/^(HTTP_|REMOTE_ADDR|HTTPS)/", $n)) echo "$n=$v\\n";'
    write(`${rootOf('visited.example').path}/index.php`, code)
    await p.done(ensure, siteOf('visited.example'))
    const said = Object.entries({
      ...{ 'X-Forwarded-For': '203.0.113.9', 'X-Real-IP': '203.0.113.8', 'X-Forwarded-Proto': 'https' },
      ...{ 'Client-IP': '203.0.113.7', 'True-Client-IP': '203.0.113.7', 'CF-Connecting-IP': '203.0.113.7' },
      ...{ Forwarded: 'for=203.0.113.7', 'X-Forwarded-Host': 'evil.example', 'X-Original-URL': '/evil' },
    }).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const seen = async (path: string) =>
      (await p.sh('curl', '-s', '-H', 'Host: visited.example', ...said, `http://127.0.0.1${path}`))
        .trim()
        .split('\n')
        .sort()
    for (const path of ['/', '/a/page?x=1']) expect(await seen(path)).toEqual(['REMOTE_ADDR=127.0.0.1'])
    await p.done('web-proxies.ensure', { add: ['127.0.0.1', '2001:db8::1'] })
    for (const path of ['/', '/a/page?x=1'])
      expect(await seen(path)).toEqual([
        ...['HTTPS=on', 'HTTP_X_FORWARDED_FOR=203.0.113.9', 'HTTP_X_FORWARDED_PROTO=https'],
        ...['HTTP_X_REAL_IP=203.0.113.9', 'REMOTE_ADDR=203.0.113.9'],
      ])
    expect(await p.sh('tail', '-n1', `${logs}/visited.example.access.log`)).toMatch(/^203\.0\.113\.9 - - /)
    expect((await p.done('web-proxies.ensure', { add: ['127.0.0.1'] })).said.join()).toContain('already')
    await p.done('web-proxies.ensure', { only: ['192.0.2.1'] })
    expect(await seen('/')).toEqual(['REMOTE_ADDR=127.0.0.1'])
    await p.done('web-proxies.ensure', { remove: ['192.0.2.1'] })
    expect(await seen('/')).toEqual(['REMOTE_ADDR=127.0.0.1'])
  })

  test('tells PHP about https only by the edge’s header', async () => {
    await prepare('edged.example')
    write(`${rootOf('edged.example').path}/index.php`, '<?php echo $_SERVER["HTTPS"] ?? "no";')
    await p.done(ensure, siteOf('edged.example'))
    await p.done('web-proxies.ensure', { add: ['127.0.0.1'] })
    const seen = (path: string, ...said: string[]) =>
      p.sh('curl', '-s', '-H', 'Host: edged.example', ...said, `http://127.0.0.1${path}`)
    for (const path of ['/', '/index.php', '/a/page?x=1']) {
      expect([path, await seen(path, '-H', 'X-Forwarded-Proto: https')]).toEqual([path, 'on'])
      expect([path, await seen(path)]).toEqual([path, 'no'])
      for (const word of ['http', 'https, http', 'xhttps', 'https x'])
        expect([path, word, await seen(path, '-H', `X-Forwarded-Proto: ${word}`)]).toEqual([path, word, 'no'])
      expect([path, await seen(path, '-H', 'HTTPS: on')]).toEqual([path, 'no'])
    }
    await p.done('web-proxies.ensure', { only: [] })
  })

  test('names a broken file of others, changes nothing, and keeps serving all websites', async () => {
    write(byHand, its.broken)
    await prepare('late.example')
    const refused = await p.op(ensure, siteOf('late.example'))
    expect(refused.status).toBe('failed')
    for (const words of [byHand, 'Nothing was changed']) expect(refused.reason).toContain(words)
    expect((await p.get('first.example')).status).toBe(200)
    expect((await p.get('late.example')).status).toBe(its.refuses)
    // a workflow that rolls back must pass this action, or other servers would stay closed
    await p.done(ensure, siteOf('late.example'), { id: refused.id, task: 'undo' })
    const closing = { ...siteOf('first.example'), state: 'maintenance', before: 'active' } as const
    await p.done(ensure, closing, { id: (await p.op(ensure, closing)).id, task: 'undo' })
    remove(byHand)
    await p.done(ensure, siteOf('late.example'))
    expect((await p.get('late.example')).status).toBe(200)
  })

  test('refuses a name that another file claims, and names the file', async () => {
    write(byHand, its.taken)
    await p.sh('systemctl', 'reload', etc.slice('/etc/'.length))
    await prepare('other.example')
    const refused = await p.op(ensure, { ...siteOf('other.example'), aliases: ['taken.example'] })
    expect(refused).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining(byHand),
    })
    const other = await p.op(ensure, { ...siteOf('other.example'), aliases: ['first.example'] })
    expect(other).toMatchObject({ status: 'failed', reason: expect.stringContaining('first.example.conf') })
    expect(await p.sh('ls', `${etc}/innkeeper/sites`)).not.toContain('other.example')
    // systemctl does not wait for the new workers
    await expect.poll(async () => (await p.get('taken.example')).body).toBe('by hand')
    remove(byHand)
  })

  test('detects a web server that ignores the new configuration, and restores the last working file', async () => {
    // nginx is stopped (SIGSTOP): the reload returns 0 without effect
    await prepare('frozen.example')
    const master = (await p.sh('cat', its.pid)).trim()
    await p.sh('kill', '-STOP', master)
    const refused = await p.op(ensure, siteOf('frozen.example'))
    await p.sh('kill', '-CONT', master)
    expect(refused).toMatchObject({ status: 'failed', reason: expect.stringContaining('generation') })
    expect(refused.said.join()).toContain('last working configuration')
    expect(await p.sh('ls', `${etc}/innkeeper/sites`)).not.toContain('frozen.example')
    await p.done(ensure, siteOf('frozen.example'))
    expect((await p.get('frozen.example')).status).toBe(200)
  })

  test('reloads a web server that was starting with the old files', async () => {
    await prepare('boots.example')
    const unit = etc.slice('/etc/'.length)
    const slow = `/run/systemd/system/${unit}.service.d/slow.conf`
    await p.sh('mkdir', '-p', dirname(slow))
    write(slow, '[Service]\nExecStartPost=/bin/sleep 3\n')
    await p.sh('sh', '-c', `systemctl daemon-reload; systemctl stop ${unit}; systemctl start --no-block ${unit}`)
    await p.sh(
      'sh',
      '-c',
      'for i in $(seq 1000); do curl -so /dev/null 127.0.0.1:4479 && exit 0; sleep 0.02; done; exit 1',
    )
    const started = await p.op(ensure, siteOf('boots.example'))
    remove(slow)
    await p.sh('systemctl', 'daemon-reload')
    expect([started.status, started.reason]).toEqual(['done', undefined])
    expect((await p.get('boots.example')).status).toBe(200)
  })

  test('detects a website whose PHP does not answer, and restores the former state', async () => {
    await prepare('gateway.example')
    const refused = await p.op(ensure, { ...siteOf('gateway.example'), phpVersion: '8.9' })
    expect(refused).toMatchObject({ status: 'failed', reason: expect.stringContaining(its.gateway) })
    expect((await p.get('gateway.example')).status).toBe(its.refuses)
    expect((await p.get('first.example')).status).toBe(200)
  })

  test('refuses hostile values, and writes them to no file', async () => {
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
    const before = await p.sh('sh', '-c', its.dump)
    for (const input of hostile)
      expect(await p.anyOp(ensure, input), JSON.stringify(input)).toMatchObject({ status: 'failed' })
    expect(await p.sh('sh', '-c', its.dump)).toBe(before)
  })

  test('inspect answers yes only for a website that is served', async () => {
    await prepare('seen.example')
    const site = siteOf('seen.example')
    const looked = async () => (await p.op(ensure, site, { inspect: true })).output
    await p.done(ensure, site)
    expect(await looked()).toEqual({ inspected: true })
    // the file is correct, but not loaded
    await p.done(ensure, { ...site, state: 'suspended' })
    const text = await p.sh('sh', '-c', `cat ${etc}/innkeeper/sites/first.example.conf`)
    write(`${etc}/innkeeper/sites/seen.example.conf`, text.replaceAll('first.example', 'seen.example'))
    write(
      `${etc}/innkeeper/generation.conf`,
      (await p.sh('cat', `${etc}/innkeeper/generation.conf`)).replace(its.generation, its.later),
    )
    expect(await looked()).not.toEqual({ inspected: true })
    expect((await p.get('seen.example')).status).toBe(200)
  })

  test('removes a website with its logs, idempotently; undo serves it in its former state', async () => {
    await prepare('leaving.example')
    const { state, ...site } = siteOf('leaving.example')
    await p.done(ensure, { ...site, state })
    await p.done(ensure, { ...site, state: 'suspended' })
    const { id } = await p.done(removal, site)
    await p.done(removal, site, { id })
    expect((await p.get('leaving.example')).status).toBe(its.refuses)
    expect(await p.sh('sh', '-c', `grep -rl leaving.example ${etc} ${logs}; ls ${logs}`)).not.toContain('leaving')
    await p.done(removal, site, { id, task: 'undo' })
    expect((await p.get('leaving.example')).status).toBe(503)
  })

  test('answers every request of other websites during changes', async () => {
    await prepare('busy.example')
    const { state, ...site } = siteOf('busy.example')
    const asked = { ok: 0, bad: 0 }
    const until = { stop: false }
    const asking = (async () => {
      while (!until.stop) {
        const { status } = await p.get('first.example')
        asked[status === 200 ? 'ok' : 'bad']++
        await letPass(5, 'between two requests')
      }
    })()
    for (let round = 0; round < 2; round++) {
      await p.done(ensure, { ...site, state })
      await p.done('php-pool.ensure', { ...poolOf('web1'), maxChildren: 5 + round })
      await p.done(ensure, { ...site, state: 'suspended' })
      await p.done(removal, site)
    }
    until.stop = true
    await asking
    expect(asked.bad).toBe(0)
    expect(asked.ok).toBeGreaterThan(20)
  })

  test('changes one file among 500 websites, and serves all of them', async () => {
    const folder = `${etc}/innkeeper/sites`
    const many = `for n in $(seq 499); do sed "s/first\\.example/n$n.example/g" first.example.conf >n$n.example.conf; done`
    await p.sh('sh', '-c', `cd ${folder}; ${many}`)
    const written = () => p.sh('sh', '-c', `cd ${folder}; stat --format='%n %i %Y' n*.conf`)
    const before = await written()
    await p.done(ensure, { ...siteOf('first.example'), aliases: ['other.example'] })
    expect(await written()).toBe(before)
    await p.done(ensure, siteOf('first.example'))
    expect((await p.get('other.example')).status).toBe(its.refuses)
    expect((await p.get('first.example')).status).toBe(200)
    expect((await p.get('n499.example')).status).not.toBe(its.refuses)
    await p.sh('sh', '-c', `rm ${folder}/n*.example.conf; systemctl reload ${web === 'nginx' ? 'nginx' : 'apache2'}`)
  })

  test('leaves a web server that starts after a kill at any moment, and a retry converges', async () => {
    await prepare('killed.example')
    const site = siteOf('killed.example')
    for (let round = 0; round < 6; round++) {
      await p.done(removal, {
        domain: site.domain,
        username: 'web1',
        root: site.root,
        phpVersion: '8.2',
        aliases: [],
      })
      await p.killAfter(20 + round * 60, ensure, site)
      await p.sh(...its.check)
      expect((await p.get('first.example')).status).toBe(200)
      const again = await p.done(ensure, site, { inspect: true })
      if (again.output) expect((await p.get('killed.example')).status).toBe(200)
    }
    expect(await p.sh('ls', '-A', `${etc}/innkeeper`, `${etc}/innkeeper/sites`)).not.toMatch(/last-good|\.new/)
  })

  forwardCases(web, () => p)
  if (web === 'apache') apacheCases(() => p)
  else nginxCases(() => p)
})
