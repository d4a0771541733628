import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { made } from '../../test/certificates.ts'
import { rootOf, siteOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'edge' : `edge (${verdict.reason})`, () => {
  let origin: Practice<Host>
  let p: Practice<Host>
  const shop = (more: object = {}) => ({
    ...{ vhostId: 12, names: ['shop.example', '*.shop.example'], origin: origin.host.address },
    ...{ cache: true, keepMinutes: 10, stale: true },
    ...more,
  })
  beforeAll(async () => {
    const lab = await openLab({ dir: labDir })
    origin = await practice(lab, 'edge-origin')
    await origin.provision()
    await origin.website('shop.example')
    await origin.done('nginx-site.ensure', { ...siteOf('shop.example'), aliases: ['*.shop.example'] })
    page('/n.php', '<?php header("X-By: php"); echo $_SERVER["HTTP_X_FORWARDED_FOR"], " ", hrtime(true);')
    page('/private.php', '<?php header("Cache-Control: private"); echo hrtime(true);')
    page('/lang.php', '<?php header("Vary: Accept-Language"); echo $_SERVER["HTTP_ACCEPT_LANGUAGE"], hrtime(true);')
    p = await practice(lab, 'edge')
    await origin.done('web-proxies.ensure', { add: [p.host.address] })
    await p.done('nginx.ensure', {})
    const refused = await Promise.all([p.op('nginx-cache.ensure', { maxSizeMb: 64 }), p.op('edge-site.ensure', shop())])
    for (const { status, reason } of refused)
      expect([status, reason]).toEqual(['failed', expect.stringContaining('install libnginx-mod-http-js')])
    expect(await p.sh('find', '/etc/nginx', '-name', '*cache*', '-o', '-name', 'edge-*')).toBe('')
    await p.done('packages.ensure', { packages: ['libnginx-mod-http-js'] })
    await p.done('nginx-cache.ensure', { maxSizeMb: 64 })
    await p.done('edge-site.ensure', shop())
  })
  afterAll(async () => {
    await p?.host.wipe()
    await origin?.end()
  })

  const page = (path: string, text: string) =>
    writeFileSync(`${origin.host.root}${rootOf('shop.example').path}${path}`, text)
  const edgeFile = () => `${p.host.root}/etc/nginx/innkeeper/sites/edge-12.conf`
  /** What a visitor gets through the edge: cache status, HTTP status and page. */
  async function visit(path: string, ...more: string[]) {
    const host = more.some((word) => word.startsWith('Host:')) ? [] : ['-H', 'Host: shop.example']
    const said = await p.sh('curl', '-s', '-i', ...host, ...more, `http://127.0.0.1${path}`)
    const [head = '', ...body] = said.split('\r\n\r\n')
    return {
      cache: /^x-cache-status: (\w+)/im.exec(head)?.[1],
      status: Number(head.split(' ')[1]),
      body: body.join('\r\n\r\n'),
    }
  }

  test('fetches a page once and then serves it from the cache, separately for each name', async () => {
    const first = await visit('/n.php')
    expect(first).toMatchObject({ status: 200, cache: 'MISS' })
    expect(first.body).toMatch(/^127\.0\.0\.1 /) // the website gets the visitor's address
    expect(await visit('/n.php')).toEqual({ ...first, cache: 'HIT' })
    expect((await visit('/n.php?other')).cache).toBe('MISS')
    expect((await visit('/n.php', '-H', 'Host: www.shop.example')).cache).toBe('MISS')
  })

  test('forwards the visitor’s address and scheme to the website, and ignores the visitor’s own claims', async () => {
    page(
      '/said.php',
      '<?php header("Cache-Control: private"); echo json_encode(array_change_key_case(getallheaders()) + ["by" => $_SERVER["REMOTE_ADDR"]]);',
    )
    const forged = {
      ...{ 'x-forwarded-for': '192.0.2.66', 'x-real-ip': '192.0.2.66', 'x-forwarded-proto': 'https' },
      ...{
        'x-forwarded-host': 'evil.example',
        'x-forwarded-port': '8443',
        'x-forwarded-prefix': '/evil',
        'x-host': 'evil.example',
      },
      ...{
        forwarded: 'for=192.0.2.66;host=evil.example',
        'x-original-url': '/evil',
        'x-rewrite-url': '/evil',
        proxy: 'evil',
        ...{ 'client-ip': '192.0.2.66', 'true-client-ip': '192.0.2.66', 'cf-connecting-ip': '192.0.2.66' },
      },
    }
    const said = Object.entries(forged).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const heard = JSON.parse((await visit('/said.php', ...said)).body)
    expect(heard).toMatchObject({ host: 'shop.example', 'x-forwarded-proto': 'http' })
    expect([heard['x-forwarded-for'], heard['x-real-ip'], heard.by]).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1'])
    const direct = ['-H', 'Host: shop.example', ...said, `http://${origin.host.address}/said.php`]
    const believed = JSON.parse(await p.sh('curl', '-s', '--interface', p.host.address, ...direct))
    expect(believed.by).toBe('192.0.2.66') // the edge is trusted, because it drops the visitor's own headers
    const unknown = JSON.parse(await origin.sh('curl', '-s', ...direct))
    expect(JSON.stringify(unknown)).not.toMatch(/evil|192\.0\.2\.66|8443|https/)
    // Apache offers an upgrade to HTTP/2, which breaks a connection if an edge forwards the header
    expect(await p.sh('curl', '-si', '-H', 'Host: shop.example', 'http://127.0.0.1/said.php')).not.toMatch(
      /^upgrade:/im,
    )
    expect(JSON.stringify(heard)).not.toMatch(/evil|192\.0\.2\.66|8443/)
  })

  test('never caches a page for one visitor', async () => {
    const seen = new Set<string>()
    for (const more of [
      ['-H', 'Cookie: PHPSESSID=abc'],
      ['-H', 'Authorization: Basic eA=='],
      ['-H', 'Cookie: wordpress_logged_in_1=x'],
      ...['sid=alice', 'connect.sid=s%3Aalice', 'uid=7', 'jwt=e30', 'x9k=alice', '_ga=1'].map((cookie) => [
        '-H',
        `Cookie: ${cookie}`,
      ]),
      ['-H', 'X-Api-Key: alice'],
      ['-X', 'GET', '-d', 'alice'],
      ...['X-Customer-Id: 7', 'X-SSL-Client-DN: CN=alice'].map((header) => ['-H', header]),
      ...['X-Requested-With: XMLHttpRequest', 'HX-Request: true', 'X-PJAX: 1'].map((header) => ['-H', header]),
      // frameworks answer these with another page, or with links to another address
      ...[
        'RSC: 1',
        'X-HTTP-Host-Override: evil.example',
        'X-Original-URI: /evil',
        'Max-Forwards: 0',
        'X-New: evil',
      ].map((header) => ['-H', header]),
    ]) {
      const { cache, body } = await visit('/n.php', ...more)
      expect(cache, more.join(' ')).toBe('BYPASS')
      seen.add(body)
    }
    expect(seen.size).toBe(21)
    await visit('/private.php')
    expect((await visit('/private.php')).cache).toBe('MISS')
    const answers = [
      'Vary: Accept-Encoding, *',
      'vary: *,Accept-Language',
      'CDN-Cache-Control: no-store',
      'Surrogate-Control: max-age=0',
      'Pragma: no-cache',
      'Content-Type: text/event-stream',
    ]
    for (const [n, header] of answers.entries()) {
      page(`/answer${n}.php`, `<?php header("${header}"); echo hrtime(true);`)
      await visit(`/answer${n}.php`)
      expect([header, (await visit(`/answer${n}.php`)).cache]).toEqual([header, 'MISS'])
    }
    page('/pragma.php', '<?php header("Pragma: no-cache"); header("Cache-Control: max-age=60"); echo 1;')
    await visit('/pragma.php')
    expect((await visit('/pragma.php')).cache).toBe('HIT')
    const browser = [
      ...['Accept: text/html', 'Accept-Language: nb', 'Cache-Control: max-age=0', 'DNT: 1', 'Priority: u=0, i'],
      ...[
        'Sec-CH-UA-Mobile: ?0',
        'Sec-Fetch-Site: none',
        'Upgrade-Insecure-Requests: 1',
        'Referer: http://other.example/',
      ],
      ...['X-Requested-With: com.android.browser', 'X-Forwarded-Host: evil.example', 'Save-Data: on'],
    ].flatMap((header) => ['-H', header])
    await visit('/n.php?webview', '-A', 'Mozilla/5.0', ...browser)
    expect((await visit('/n.php?webview')).cache).toBe('HIT')
    expect((await visit('/n.php', '-X', 'POST', '-d', 'x')).cache).toBeUndefined()
  })

  test('removes cookies that the website lists as harmless from requests; a page requested with another cookie is not cached', async () => {
    page('/cookies.php', '<?php echo $_SERVER["HTTP_COOKIE"] ?? "none", " ", hrtime(true);')
    await p.done('edge-site.ensure', shop({ rules: { cookies: ['_ga', '_ga_*', 'consent.v2'] } }))
    const kept = await visit('/cookies.php', '-H', 'Cookie: _ga=alice')
    expect(kept).toMatchObject({ cache: 'MISS', body: expect.stringMatching(/^none /) })
    for (const cookie of ['_ga=bob', '_ga_1AB2=x; _ga=bob;', 'consent.v2=a=b', '_ga=1; _ga=2', ''])
      expect([cookie, await visit('/cookies.php', '-H', `Cookie: ${cookie}`)]).toEqual([
        cookie,
        { ...kept, cache: 'HIT' },
      ])
    for (const cookie of [
      '_ga=1; sid=alice',
      'sid=alice; _ga=1',
      '_gat=1',
      'x_ga=1',
      'consentxv2=1',
      '_ga',
      '_GA=1',
      ';',
    ]) {
      const own = await visit('/cookies.php', '-H', `Cookie: ${cookie}`)
      expect([cookie, own.cache, own.body.replace(/ \d+$/, '')]).toEqual([cookie, 'BYPASS', cookie])
    }
    expect(await visit('/cookies.php')).toEqual({ ...kept, cache: 'HIT' })
    await p.done('edge-site.ensure', shop())
  })

  test('deletes a page by its URL, in every cached language, and no others', async () => {
    const lang = (word: string) => visit('/lang.php', '-H', `Accept-Language: ${word}`)
    for (const word of ['nb', 'sv']) {
      await lang(word)
      expect((await lang(word)).cache).toBe('HIT')
    }
    await visit('/n.php')
    const { output } = await p.done('edge-cache.clear', { vhostId: 12, urls: ['http://shop.example/lang.php'] })
    expect(output).toMatchObject({ cleared: 2 })
    for (const word of ['nb', 'sv']) expect((await lang(word)).cache).toBe('MISS')
    expect((await visit('/n.php')).cache).toBe('HIT')
  })

  test('decompresses a page for clients without gzip, in their language, whatever the page varies by', async () => {
    const long = 'echo $_SERVER["HTTP_ACCEPT_LANGUAGE"], str_repeat(" long", 500);'
    page('/packed.php', `<?php header("Vary: Accept-Language"); ${long}`)
    page(
      '/packs.php',
      `<?php if (isset($_SERVER["HTTP_ACCEPT_ENCODING"])) ini_set("zlib.output_compression", "1"); ${long}`,
    )
    page(
      '/silent.php',
      '<?php header("Content-Encoding: gzip"); echo gzencode($_SERVER["HTTP_ACCEPT_LANGUAGE"] . str_repeat(" long", 500));',
    )
    for (const path of ['/packed.php', '/packs.php', '/silent.php']) {
      await visit(path, '-H', 'Accept-Language: nb', '-H', 'Accept-Encoding: gzip', '--compressed')
      const plain = await visit(path, '-H', 'Accept-Language: nb')
      expect([path, plain.body.slice(0, 7)]).toEqual([path, 'nb long'])
      const packed = await visit(path, '-H', 'Accept-Language: nb', '-H', 'Accept-Encoding: gzip', '--compressed')
      expect([path, packed.body.slice(0, 7)]).toEqual([path, 'nb long'])
    }
    for (const packing of [['-H', 'Accept-Encoding: gzip', '--compressed'], []])
      expect((await visit('/packed.php', '-H', 'Accept-Language: sv', ...packing)).body).toMatch(/^sv long/)
  })

  test('deletes pages by prefix, then all of a website, and none of another', async () => {
    await p.done('edge-site.ensure', shop({ vhostId: 13, names: ['other.example'] }))
    for (const path of ['/n.php?a=1', '/n.php?a=2', '/n.php?b=1']) await visit(path)
    await p.done('edge-cache.clear', { vhostId: 12, prefixes: ['http://shop.example/n.php?a='] })
    expect((await visit('/n.php?b=1')).cache).toBe('HIT')
    expect((await visit('/n.php?a=2')).cache).toBe('MISS')
    await p.done('edge-cache.clear', { vhostId: 13 })
    expect((await visit('/n.php?b=1')).cache).toBe('HIT')
    await p.done('edge-cache.clear', { vhostId: 12 })
    expect((await visit('/n.php?b=1')).cache).toBe('MISS')
    expect((await p.done('edge-cache.clear', { vhostId: 12, urls: [] })).output).toMatchObject({ cleared: 0 })
    await p.done('edge-site.remove', { vhostId: 13 })
  })

  test('serves stale pages while the website fails, but only if allowed', async () => {
    page('/short.php', '<?php header("Cache-Control: max-age=1"); echo "short";')
    await visit('/short.php')
    await origin.sh('systemctl', 'stop', 'nginx')
    try {
      await expect.poll(async () => (await visit('/short.php')).cache).toBe('STALE')
      expect((await visit('/never-seen')).status).toBe(502)
      await p.done('edge-site.ensure', shop({ stale: false }))
      expect((await visit('/short.php')).status).toBe(502)
    } finally {
      await origin.sh('systemctl', 'start', 'nginx')
      await p.done('edge-site.ensure', shop())
    }
  })

  test('forwards everything when caching is off; undo turns caching on', async () => {
    const { id } = await p.done('edge-site.ensure', shop({ cache: false }))
    expect((await visit('/n.php')).cache).toBeUndefined()
    await p.done('edge-site.ensure', shop({ cache: false }), { id, task: 'undo' })
    expect((await visit('/n.php')).cache).toBeDefined()
    const made = await p.done('edge-site.ensure', shop({ vhostId: 14, names: ['undone.example'] }))
    await p.done('edge-site.ensure', shop({ vhostId: 14, names: ['undone.example'] }), { id: made.id, task: 'undo' })
    expect((await p.get('undone.example')).status).toBe(0)
    // somebody removed the package: nginx goes on, and the reason names what to install
    const module = '/etc/nginx/modules-enabled/50-mod-http-js.conf'
    await p.sh('mv', module, '/tmp/module')
    const without = await p.op('edge-site.ensure', shop({ vhostId: 15, names: ['without.example'], cache: false }))
    await p.sh('mv', '/tmp/module', module)
    expect(without.reason).toContain('Install libnginx-mod-http-js')
    expect((await visit('/n.php')).status).toBe(200)
  })

  test('reports a changed file with both texts, and rewrites it', async () => {
    const same = await p.done('edge-sites.compare', { sites: [shop()] })
    expect(same.output).toEqual({ differing: [], strangers: [] })
    appendFileSync(edgeFile(), 'return 200 "by hand";\n')
    const { output } = await p.done('edge-sites.compare', { sites: [] })
    expect(output).toEqual({ differing: [], strangers: [12] })
    const found = await p.done('edge-sites.compare', { sites: [shop()] })
    expect(found.output).toMatchObject({ differing: [{ vhostId: 12, is: expect.stringContaining('by hand') }] })
    await p.done('edge-site.ensure', shop())
    expect(readFileSync(edgeFile(), 'utf8')).not.toContain('by hand')
    expect((await visit('/n.php')).status).toBe(200)
  })

  test('serves a certificate over http/2 for the edge’s names, redirects to https, and removes the key with it', async () => {
    const one = await made(p, 'shop.example', '*.shop.example')
    const tls = { vhostId: 12, domain: 'shop.example', redirect: true, ...one }
    const input = { ...tls, names: ['shop.example', '*.shop.example', 'elsewhere.example'] }
    const { id, output, said } = await p.done('edge-tls.ensure', input)
    // the edge has no such name, so the wildcard is not checked
    expect(said.join()).toContain('shop.example, *.shop.example: shown with')
    const { fingerprint } = output as { fingerprint: string }
    const secure = ['-k', '--http2', '-o', '/dev/null', '-D', '-', '--connect-to', `::${p.host.address}:`]
    const ask = (...argv: string[]) => p.sh('curl', '-s', ...secure, ...argv)
    const secured = 'https://www.shop.example/n.php?secure'
    expect(await ask(secured)).toMatch(/^HTTP\/2 200[\s\S]*x-cache-status: MISS/i)
    expect(await ask(secured)).toMatch(/^HTTP\/2 200[\s\S]*x-cache-status: HIT/i)
    expect(await ask('http://shop.example/a?b=c')).toMatch(
      /^HTTP\/1.1 301[\s\S]*location: https:\/\/shop.example\/a\?b=c/i,
    )
    expect(await p.sh('stat', '--format=%a %U', `/etc/innkeeper/tls/${fingerprint}/key.pem`)).toBe('600 root\n')
    // names added later use the certificate too
    const more = await p.done('edge-site.ensure', shop({ names: ['shop.example', '*.shop.example', 'more.example'] }))
    expect(more.said.join()).toContain('more.example: shown with')
    await p.done('edge-site.ensure', shop())
    const compared = async (wanted: { fingerprint: string; redirect: boolean } | null) =>
      (await p.done('edge-sites.compare', { sites: [{ ...shop(), tls: wanted }] })).output
    expect(await compared({ fingerprint, redirect: true })).toMatchObject({ differing: [] })
    expect(await compared(null)).toMatchObject({ differing: [{ certificate: true, wanted: '' }] })
    await p.done('acme-answer.ensure', { thumbprint: 'T'.repeat(43) })
    const token = '/.well-known/acme-challenge/abc'
    for (const name of ['shop.example', 'not-yet.example'])
      expect(await p.sh('curl', '-s', '-H', `Host: ${name}`, `http://${p.host.address}${token}`)).toBe(
        `abc.${'T'.repeat(43)}`,
      )
    const gone = await p.done('edge-tls.remove', { vhostId: 12, domain: 'shop.example' })
    expect(await ask('http://shop.example/')).toMatch(/^HTTP\/1.1 200/)
    await p.done('edge-tls.remove', { vhostId: 12, domain: 'shop.example' }, { id: gone.id, task: 'undo' })
    expect(await ask(secured)).toMatch(/^HTTP\/2 200/)
    await p.done('edge-tls.ensure', input, { id, task: 'undo' }) // a later action has changed the certificate
    expect(await ask(secured)).toMatch(/^HTTP\/2 200/)
    const { id: last } = await p.done('edge-tls.remove', { vhostId: 12, domain: 'shop.example' })
    await p.sh('rm', `/var/lib/innkeeper/notes/tls-site/edge-12`) // simulates the removal after thirty days
    await p.done('edge-tls.remove', { vhostId: 12, domain: 'shop.example' }, { id: last + 1000 })
    expect(await p.sh('ls', '/etc/innkeeper/tls')).toBe('')
  })

  test('refuses a name that another file claims, names a broken file, and changes nothing', async () => {
    const taken = await p.op('edge-site.ensure', shop({ vhostId: 15 }))
    expect(taken.reason).toMatch(/shop\.example is claimed by .*edge-12\.conf already/)
    const strange = `${p.host.root}/etc/nginx/innkeeper/sites/edge-99.conf`
    writeFileSync(strange, 'server { broken')
    const broken = await p.op('edge-site.ensure', shop({ keepMinutes: 11 }))
    expect([broken.status, broken.reason]).toEqual(['failed', expect.stringContaining('edge-99.conf')])
    expect(readFileSync(edgeFile(), 'utf8')).toContain('10m;')
    await p.sh('rm', '/etc/nginx/innkeeper/sites/edge-99.conf')
  })

  test('completes the change on a retry after a kill at any moment', async () => {
    for (const ms of [20, 70, 140]) {
      await p.killAfter(ms, 'edge-site.ensure', shop({ keepMinutes: ms }))
      await p.done('edge-site.ensure', shop({ keepMinutes: ms }))
      expect((await visit('/n.php')).status).toBe(200)
    }
    await p.done('edge-site.ensure', shop())
  })

  test('counts requests and bytes per website and quarter of an hour since a moment', async () => {
    const { output } = await p.done('edge-traffic.read', { since: Math.floor(Date.now() / 1000) - 1800 })
    const { buckets } = output as { buckets: { vhostId: number; hits: number; misses: number; bytes: number }[] }
    const own = buckets.filter(({ vhostId }) => vhostId === 12)
    const sum = (of: 'hits' | 'misses' | 'bytes') => own.reduce((all, bucket) => all + bucket[of], 0)
    expect(sum('hits')).toBeGreaterThan(4)
    expect(sum('misses')).toBeGreaterThan(4)
    expect(sum('bytes')).toBeGreaterThan(1000)
    const later = await p.done('edge-traffic.read', { since: Math.floor(Date.now() / 1000) + 3600 })
    expect(later.output).toEqual({ buckets: [] })
  })

  test('reads only the relevant part of a long log, and includes rotated ones', async () => {
    const now = Math.floor(Date.now() / 900_000) * 900
    const line = (at: number) => `${at}.000 77 HIT 100\n`
    const old = Array.from({ length: 20_000 }, (_, n) => line(now - 90_000 + n)).join('')
    writeFileSync(`${p.host.root}/var/log/nginx/innkeeper-edge.log.1`, old + line(now - 900))
    const { output } = await p.done('edge-traffic.read', { since: now - 900 })
    const { buckets } = output as { buckets: { vhostId: number; at: number; hits: number }[] }
    expect(buckets.filter(({ vhostId }) => vhostId === 77)).toMatchObject([{ at: now - 900, hits: 1 }])
  })

  test('stops serving a removed website, and serves it again after undo', async () => {
    const { id } = await p.done('edge-site.remove', { vhostId: 12 })
    expect((await p.get('shop.example')).status).toBe(0)
    await p.done('edge-site.remove', { vhostId: 12 }, { id, task: 'undo' })
    expect((await visit('/n.php')).status).toBe(200)
  })

  test('changes one file only among 500 websites', async () => {
    const folder = `${p.host.root}/etc/nginx/innkeeper/sites`
    const text = readFileSync(edgeFile(), 'utf8')
    const files = Array.from({ length: 500 }, (_, n) => `${folder}/edge-${1000 + n}.conf`)
    for (const [n, file] of files.entries())
      writeFileSync(file, text.replace(/server_name .*;/g, `server_name site-${n}.example;`))
    const written = () => files.map((file) => statSync(file).mtimeMs)
    const before = written()
    await p.done('edge-site.ensure', shop({ keepMinutes: 21 }))
    expect(written()).toEqual(before)
    expect((await visit('/n.php')).status).toBe(200)
  })
})
