import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { can } from '@innkeeper/lab/can'
import type { Host } from '@innkeeper/lab/host'
import { openLab } from '@innkeeper/lab/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { made } from '../../test/certificates.ts'
import { rootOf, siteOf } from '../../test/fixtures.ts'
import { labDir, type Practice, practice } from '../../test/practice.ts'

const verdict = await can(labDir)
describe.skipIf(!verdict.able)(verdict.able ? 'edge rules' : `edge rules (${verdict.reason})`, () => {
  let origin: Practice<Host>
  let p: Practice<Host>
  const shop = (rules: object = {}, more: object = {}) => ({
    ...{ vhostId: 12, names: ['shop.example'], origin: origin.host.address },
    ...{ cache: true, keepMinutes: 10, stale: true, rules },
    ...more,
  })
  const ruled = (rules: object = {}, more: object = {}) => p.done('edge-site.ensure', shop(rules, more))
  beforeAll(async () => {
    const lab = await openLab({ dir: labDir })
    origin = await practice(lab, 'rules-origin')
    await origin.provision()
    await origin.website('shop.example')
    await origin.done('nginx-site.ensure', siteOf('shop.example'))
    page('/n.php', '<?php echo str_repeat("word ", 1000), hrtime(true);')
    page('/auth.php', '<?php echo $_SERVER["HTTP_AUTHORIZATION"] ?? "none", " ", hrtime(true);')
    page('/vary.php', '<?php header("Vary: Accept-Language"); header("Vary: X-Kind", false); echo hrtime(true);')
    page('/app.json', JSON.stringify(Array.from({ length: 2000 }, (_, n) => n)))
    p = await practice(lab, 'rules-edge')
    await origin.done('web-proxies.ensure', { add: [p.host.address] })
    await p.done('nginx.ensure', {})
    await p.done('packages.ensure', { packages: ['libnginx-mod-http-brotli-filter', 'libnginx-mod-http-js'] })
    await p.done('nginx-cache.ensure', { maxSizeMb: 64 })
    await ruled()
  })
  afterAll(async () => {
    await p?.end()
    await origin?.end()
  })

  const page = (path: string, text: string) => {
    const file = `${origin.host.root}${rootOf('shop.example').path}${path}`
    mkdirSync(file.replace(/\/[^/]*$/, ''), { recursive: true })
    writeFileSync(file, text)
  }
  /** What a visitor gets; the body as base64. */
  async function visit(path: string, ...more: string[]) {
    const asked = ['-s', '-D', '/tmp/head', '-o', '/tmp/body', '-H', 'Host: shop.example', ...more]
    await p.sh('curl', '--path-as-is', ...asked, `http://127.0.0.1${path}`)
    const head = (await p.sh('cat', '/tmp/head')).split('\r\n').slice(1)
    const body = Buffer.from(await p.sh('base64', '-w0', '/tmp/body'), 'base64')
    const all = (name: string) =>
      head.flatMap((line) => (line.toLowerCase().startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []))
    const status = Number((await p.sh('head', '-1', '/tmp/head')).split(' ')[1])
    return {
      status,
      all,
      one: (name: string) => all(name)[0],
      body,
      text: body.toString(),
      cache: all('x-cache-status')[0],
    }
  }
  const packing = (value: string) => ['-H', `Accept-Encoding: ${value}`]
  const as = (name: string, word: string) => ['-u', `${name}:${word}`]

  test('keeps one copy for all values of Accept-Encoding, and compresses it for each visitor', async () => {
    expect((await visit('/n.php', ...packing('gzip'))).cache).toBe('MISS')
    const texts = new Set<string>()
    for (const [spelling, packed] of [
      ['gzip, deflate, br', 'br'],
      ['br;q=1.0, gzip;q=0.8, *;q=0.1', 'br'],
      ['gzip,deflate', 'gzip'],
      ['GZIP', 'gzip'],
      ['gzip;q=0', undefined],
      ['identity', undefined],
      ['', undefined],
    ] as const) {
      const said = await visit('/n.php', ...packing(spelling))
      expect([spelling, said.cache, said.one('content-encoding')]).toEqual([spelling, 'HIT', packed])
      expect([spelling, said.all('vary')]).toEqual([spelling, ['Accept-Encoding']])
      const unpack = packed === 'br' ? brotliDecompressSync : packed === 'gzip' ? gunzipSync : (body: Buffer) => body
      texts.add(unpack(said.body).toString())
    }
    expect(texts.size).toBe(1)
  })

  test('caches no page that was requested with a key, a session or a name in a header of any name', async () => {
    for (const name of [
      'X-Session-Token',
      'X-CSRF-Token',
      'Remote-User',
      'X-WP-Nonce',
      'ApiKey',
      'Proxy-Authorization',
    ])
      expect([name, (await visit('/n.php?key', '-H', `${name}: alice`)).cache]).toEqual([name, 'BYPASS'])
    await visit('/n.php?key')
    for (const header of ['User-Agent: x', 'Sec-Fetch-User: ?1', 'Referer: http://x/', 'Accept-Language: en'])
      expect([header, (await visit('/n.php?key', '-H', header)).cache]).toEqual([header, 'HIT'])
  })

  test('says how old a page is, and when the website made it', async () => {
    const first = await visit('/n.php?age')
    expect([first.cache, first.one('age')]).toEqual(['MISS', undefined])
    await expect.poll(async () => Number((await visit('/n.php?age')).one('age'))).toBeGreaterThan(1)
    const later = await visit('/n.php?age', ...packing('br'))
    expect([later.cache, later.one('date')]).toEqual(['HIT', first.one('date')])
    expect(Number(later.one('age'))).toBeLessThan(60)
  })

  test('sends one Vary header, and caches no page with a Vary that nginx would ignore', async () => {
    for (const spelling of ['', 'gzip', 'br']) {
      const { cache, all } = await visit('/vary.php', ...packing(spelling))
      expect([cache, all('vary')]).toEqual(['MISS', ['Accept-Encoding, Accept-Language, X-Kind']])
    }
  })

  test('serves ranges of a page, whatever compression the visitor accepts', async () => {
    const whole = (await visit('/app.json', ...packing('gzip'))).body
    expect((await visit('/app.json', ...packing('gzip'))).cache).toBe('HIT')
    const text = gunzipSync(whole)
    for (const spelling of ['gzip, deflate, br', 'gzip', '']) {
      const part = await visit('/app.json', '-r', '100-199', ...packing(spelling))
      expect([part.status, part.cache, part.one('content-range')]).toEqual([206, 'HIT', `bytes 100-199/${text.length}`])
      expect(part.body).toEqual(text.subarray(100, 200))
    }
    expect((await visit('/app.json', '-r', '999999-', ...packing('gzip'))).status).toBe(416)
  })

  test('treats paths by the longest rule that fits', async () => {
    page('/shop/n.php', '<?php echo hrtime(true);')
    page('/shop/kept/n.php', '<?php echo hrtime(true);')
    await ruled({
      paths: [
        { path: '/shop/', minutes: 0, locked: false, allow: [] },
        { path: '/shop/kept/', minutes: 5, locked: false, allow: ['127.0.0.0/8'] },
        { path: '/shop/kept/not/', minutes: null, locked: false, allow: ['192.0.2.0/24', '2001:db8::/32'] },
      ],
    })
    await visit('/shop/n.php')
    expect((await visit('/shop/n.php')).cache).toBeUndefined()
    await visit('/shop/kept/n.php')
    expect((await visit('/shop/kept/n.php')).cache).toBe('HIT')
    for (const path of ['/shop/kept/not/x', '/shop/kept/%6eot/x', '//shop//kept/./not/x', '/a/../shop/kept/not/x'])
      expect([path, (await visit(path)).status]).toEqual([path, 403])
    expect((await visit('/shop/kept/not')).status).not.toBe(403)
  })

  test('admits and refuses visitors by address, but never refuses an ACME challenge', async () => {
    await p.done('acme-answer.ensure', { thumbprint: 'T'.repeat(43) })
    await ruled({ deny: ['127.0.0.1'], locked: true })
    expect((await visit('/n.php')).status).toBe(403)
    expect((await visit('/.well-known/acme-challenge/abc')).text).toBe(`abc.${'T'.repeat(43)}`)
    await ruled({ allow: ['192.0.2.0/24'] })
    expect([(await visit('/n.php')).status, (await visit('/.well-known/x')).status]).toEqual([403, 403])
    await ruled({ allow: ['127.0.0.0/8'] })
    expect((await visit('/n.php')).status).toBe(200)
  })

  test('asks for a password, caches the pages behind it, and never sends name or password to the website', async () => {
    const hash = (await p.sh('openssl', 'passwd', '-6', '-salt', 'saltsaltsaltsalt', 'open sesame')).trim()
    await ruled({ locked: true }, { passwords: `kari:${hash}\n` })
    const closed = await visit('/auth.php')
    expect([closed.status, closed.one('www-authenticate')]).toEqual([401, 'Basic realm="shop.example"'])
    expect((await visit('/auth.php', ...as('kari', 'open sesam'))).status).toBe(401)
    const open = await visit('/auth.php', ...as('kari', 'open sesame'))
    expect([open.status, open.cache, open.text.split(' ')[0]]).toEqual([200, 'MISS', 'none'])
    expect((await visit('/auth.php', ...as('kari', 'open sesame'))).cache).toBe('HIT')
    expect((await visit('/auth.php')).status).toBe(401)
    const other = await p.host.exec(['setpriv', '--reuid=65534', 'cat', '/etc/nginx/innkeeper/edge-passwords/12'])
    expect(other.stderr).toContain('Permission denied')
    // only this path asks for a password; on other paths the Authorization header is for the website
    const byPath = { paths: [{ path: '/auth', minutes: null, locked: true, allow: [] }] }
    await ruled(byPath, { passwords: `kari:${hash}\n` })
    expect([(await visit('/auth.php')).status, (await visit('/n.php')).status]).toEqual([401, 200])
    expect((await visit('/n.php', ...as('ola', 'x'))).cache).toBe('BYPASS')
    const sum = { passwordsSum: 'a'.repeat(64) }
    const { output } = await p.done('edge-sites.compare', { sites: [shop(byPath, sum)] })
    expect(output).toMatchObject({ differing: [{ file: '/etc/nginx/innkeeper/edge-passwords/12' }] })
    expect(JSON.stringify(output)).not.toContain('$6$')
    await ruled()
    expect((await p.host.exec(['ls', '/etc/nginx/innkeeper/edge-passwords/12'])).code).not.toBe(0)
  })

  test('redirects paths, with the rest of the path on request, and never lets a path add a header', async () => {
    await ruled({
      redirects: [
        { from: '/old', to: '/new?x=1', status: 301 },
        { from: '/old/*', to: 'https://elsewhere.example/a/*', status: 308 },
        { from: '/gone/*', to: '/', status: 302 },
      ],
      headers: [{ name: 'X-Frame-Options', value: 'DENY' }],
    })
    for (const [path, status, to] of [
      ['/old', 301, 'http://shop.example/new?x=1'],
      ['/old/b/c?d=e', 308, 'https://elsewhere.example/a/b/c?d=e'],
      ['/old/%0d%0aX-Evil:%20yes', 308, 'https://elsewhere.example/a/%0d%0aX-Evil:%20yes'],
      ['/b/../old/c', 308, 'https://elsewhere.example/a/'],
      ['/gone/x/y', 302, 'http://shop.example/'],
    ] as const) {
      const said = await visit(path)
      expect([path, said.status, said.one('location')]).toEqual([path, status, to])
      expect([said.one('x-evil'), said.one('x-frame-options')]).toEqual([undefined, 'DENY'])
    }
    expect((await visit('/older')).status).toBe(200) // the website's own
  })

  test('sets and removes headers of every answer, in place of the website’s', async () => {
    page('/said.php', '<?php header("X-Powered-By: yes"); header("Referrer-Policy: unsafe-url"); echo "said";')
    const policy = `default-src 'self'; img-src *; report-to "a"`
    await ruled({
      headers: [
        { name: 'Referrer-Policy', value: 'no-referrer' },
        { name: 'Content-Security-Policy', value: policy },
        { name: 'X-Powered-By', value: '' },
      ],
    })
    for (const path of ['/said.php', '/said.php', '/never-there.png']) {
      const { all } = await visit(path)
      expect([all('referrer-policy'), all('content-security-policy')]).toEqual([['no-referrer'], [policy]])
      expect(all('x-powered-by')).toEqual([])
    }
  })

  test('shows its own pages for errors of the website, and while the website does not answer', async () => {
    page('/lost.php', '<?php http_response_code(404); echo "mine";')
    const html = '<h1>Ikke funnet $host "æøå"</h1>'
    const errors = [404, 502].map((status) => ({ status, html: `${html} ${status}` }))
    await ruled({ errors, headers: [{ name: 'X-Frame-Options', value: 'DENY' }] }, { stale: false })
    const lost = await visit('/lost.php')
    expect(lost.all('x-frame-options')).toEqual(['DENY'])
    expect([lost.status, lost.text, lost.one('content-type')]).toEqual([404, `${html} 404`, 'text/html; charset=utf-8'])
    await origin.sh('systemctl', 'stop', 'nginx')
    try {
      const away = await visit('/n.php?away')
      expect([away.status, away.text]).toEqual([502, `${html} 502`])
    } finally {
      await origin.sh('systemctl', 'start', 'nginx')
    }
    expect((await visit('/.innkeeper-404.html')).text).toBe(`${html} 404`) // nginx answers 404 for an internal location
    const { id } = await p.done('edge-site.remove', { vhostId: 12 })
    expect((await p.sh('ls', '/etc/nginx/innkeeper/edge-errors')).trim()).toBe('')
    await p.done('edge-site.remove', { vhostId: 12 }, { id, task: 'undo' })
    expect((await visit('/lost.php')).text).toBe(`${html} 404`)
  })

  test('fetches over TLS, and only from a server whose certificate it can check', async () => {
    await ruled()
    const own = await made(origin, 'shop.example')
    const tls = { domain: 'shop.example', names: ['shop.example'], redirect: true, hsts: 0 }
    await origin.done('tls-site.ensure', { ...tls, ...own })
    const refused = await p.op('edge-site.ensure', shop({ fetch: 'https', certificateName: 'shop.example' }))
    expect([refused.status, refused.reason]).toEqual([
      'failed',
      expect.stringMatching(
        /no certificate for shop\.example that this edge trusts: .* comes from no public authority/,
      ),
    ])
    const wrong = async (chain?: string) =>
      ((await p.done('edge-site.trust', { vhostId: 12, chain })).output as { wrong: string | null }).wrong
    expect(await wrong()).toBeNull() // fetches over http
    const trust = async (chain: string) => {
      writeFileSync(`${p.host.root}/usr/local/share/ca-certificates/own.crt`, chain)
      await p.sh('update-ca-certificates')
    }
    expect(await wrong(own.chain)).toMatch(/^the certificate of shop\.example comes from no public authority/)
    await trust(own.chain)
    expect(await wrong(own.chain)).toBeNull()
    for (const cache of [true, false]) {
      await ruled({ fetch: 'https', certificateName: 'shop.example' }, { cache })
      const said = await visit(`/n.php?tls=${cache}`)
      expect([said.status, said.text.slice(0, 4)]).toEqual([200, 'word'])
    }
    expect(await wrong()).toBeNull()
    // nginx too refuses a name that the certificate lacks, not only the check before the change
    const other = await p.op('edge-site.ensure', shop({ fetch: 'https', certificateName: 'other.example' }))
    expect(other.reason).toContain('no certificate for other.example')
    await origin.done('tls-site.ensure', { ...tls, ...(await made(origin, 'shop.example', 'second.example')) })
    expect((await visit('/n.php?other')).status).toBe(502)
    expect(await wrong()).toMatch(/^[\d.]+: the certificate of .* comes from no public authority/)
    const foreign = await made(origin, 'elsewhere.example')
    const again = ['-in', '/tmp/elsewhere.example.pem', '-signkey', '/tmp/elsewhere.example.key', '-days', '-1']
    const past = { ...foreign, chain: await origin.sh('openssl', 'x509', ...again) }
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    for (const [pair, reason] of [
      [foreign, 'is for elsewhere.example, not for shop.example'],
      [past, `expired on ${day}`],
    ] as const) {
      await trust(pair.chain)
      await origin.done('tls-site.ensure', { ...tls, ...pair })
      expect((await visit('/n.php?other')).status).toBe(502)
      expect(await wrong()).toBe(`${origin.host.address}: the certificate of elsewhere.example ${reason}`)
    }
    expect(await wrong(past.chain)).toBe('the certificate is not valid (certificate has expired)')
    await ruled()
    await origin.done('tls-site.remove', { domain: 'shop.example' })
  })

  test('forwards WebSockets, with and without a cache, also two at a time', async () => {
    writeFileSync(`${origin.host.root}/opt/test/echo.mjs`, echo)
    writeFileSync(`${p.host.root}/opt/test/say.mjs`, say)
    await origin.sh('systemctl', 'stop', 'nginx')
    await origin.sh('systemd-run', '--unit=echo', '/opt/test/node', '/opt/test/echo.mjs')
    try {
      for (const cache of [true, false]) {
        await ruled({ paths: [{ path: '/ws/', minutes: 5, locked: false, allow: [] }] }, { cache })
        for (const path of ['/ws/', '/live'])
          expect(await p.sh('/opt/test/node', '/opt/test/say.mjs', path)).toBe('one two ')
        // an Upgrade header that offers HTTP/2 is not passed on: only WebSocket upgrades are
        const offered = await visit('/live', '-H', 'Connection: Upgrade, HTTP2-Settings', '-H', 'Upgrade: h2c')
        expect([offered.status, offered.one('upgrade'), offered.text]).toEqual([200, undefined, 'plain'])
      }
      // else the visitor of a suspended website or a denied address would go on for ever
      await p.sh('sed', '-i', 's/ 30m;/ 1s;/', '/etc/nginx/modules-enabled/99-innkeeper.conf')
      await p.sh('systemctl', 'restart', 'nginx') // after a reload an old process may take the connection
      const used = p.sh('/opt/test/node', '/opt/test/say.mjs', '/live', 'stay')
      await expect.poll(() => existsSync(`${p.host.root}/opt/test/open`)).toBe(true)
      await p.sh('systemctl', 'reload', 'nginx')
      expect(await used).toBe('one two ended')
      // nginx refuses a second limit, so the one of an administrator counts, in whatever file
      await p.sh('sh', '-c', 'echo "worker_shutdown_timeout 5m;" >/etc/nginx/modules-enabled/60-own.conf')
      await p.done('nginx.ensure', {})
      expect((await p.sh('nginx', '-T')).match(/worker_shutdown_timeout .*/g)).toEqual(['worker_shutdown_timeout 5m;'])
    } finally {
      await p.sh('rm', '-f', '/etc/nginx/modules-enabled/60-own.conf')
      await p.done('nginx.ensure', {})
      await origin.sh('systemctl', 'stop', 'echo')
      await origin.sh('systemctl', 'start', 'nginx')
    }
  })
})

/** A server that answers a WebSocket by echo, without masks or fragments. */
const echo = `import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
const server = createServer((asked, answer) => answer.setHeader('Upgrade', 'h2,h2c').end(asked.headers.upgrade ?? 'plain'))
server.on('upgrade', (asked, socket) => {
  const key = createHash('sha1').update(asked.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64')
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: ' + key + '\\r\\n\\r\\n')
  socket.on('error', () => {})
  socket.on('data', (frame) => {
    const size = frame[1] & 127
    const mask = frame.subarray(2, 6)
    const text = Buffer.from(frame.subarray(6, 6 + size).map((byte, n) => byte ^ mask[n % 4]))
    socket.write(Buffer.concat([Buffer.from([frame[0], size]), text]))
  })
})
server.listen(80)
`
/** Opens two WebSockets at once; each sends a word and receives the same word. */
const say = `import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { randomBytes } from 'node:crypto'
const talk = (word) => new Promise((resolve, reject) => {
  const headers = { host: 'shop.example', connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': 13, 'sec-websocket-key': randomBytes(16).toString('base64') }
  const asked = get({ host: '127.0.0.1', port: 80, path: process.argv[2], headers }, (answer) => reject(new Error('answered ' + answer.statusCode)))
  asked.on('error', reject)
  asked.on('upgrade', (answer, socket) => {
    if (!/^websocket$/i.test(answer.headers.upgrade)) reject(new Error('no upgrade'))
    const mask = randomBytes(4)
    socket.write(Buffer.concat([Buffer.from([129, 128 | word.length]), mask, Buffer.from(Buffer.from(word).map((byte, n) => byte ^ mask[n % 4]))]))
    socket.on('data', (frame) => resolve([frame.subarray(2).toString(), socket]))
  })
})
const both = await Promise.all([talk('one'), talk('two')])
for (const [word, socket] of both) {
  process.stdout.write(word + ' ')
  if (!process.argv[3]) socket.destroy()
}
if (process.argv[3]) {
  const [, socket] = both[0]
  const frame = Buffer.from([129, 128, 0, 0, 0, 0])
  const using = setInterval(() => socket.write(frame), 100)
  socket.on('error', () => {})
  socket.on('close', () => { clearInterval(using); process.stdout.write('ended') })
  setTimeout(() => process.exit(1), 20_000).unref()
  writeFileSync('/opt/test/open', '')
}
`
