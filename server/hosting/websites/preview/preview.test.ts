import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, request, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { servers } from '../../../machines/servers/tables.ts'
import { selfSigned } from '../../../net/ssl/certificates/generate.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { carryOutAll, enrolled } from '../../../test/work.ts'
import { owners } from '../../owners/tables.ts'
import { websites } from '../tables.ts'
import { openPreview } from './preview.ts'
import { fromPreview, previewStream, toPreview } from './rewriting.ts'

const shop = { names: ['shop.example', 'www.shop.example', '*.any.example'], https: true, suffix: '.localhost:4480' }

describe('URLs of the website', () => {
  it.each([
    ['https://shop.example/a?b', 'http://shop.example.localhost:4480/a?b'],
    ['<img src=//www.shop.example/a.png>', '<img src=//www.shop.example.localhost:4480/a.png>'],
    [
      String.raw`{"u":"http:\/\/shop.example\/wp-json"}`,
      String.raw`{"u":"http:\/\/shop.example.localhost:4480\/wp-json"}`,
    ],
    [String.raw`"\"https:\\\/\\\/shop.example\""`, String.raw`"\"http:\\\/\\\/shop.example.localhost:4480\""`],
    ['https:\\u002F\\u002Fshop.example', 'http:\\u002F\\u002Fshop.example.localhost:4480'],
    ['https:&#x2F;&#x2F;shop.example"', 'http:&#x2F;&#x2F;shop.example.localhost:4480"'],
    [
      'https://SHOP.example:443/ wss://shop.example/ws',
      'http://SHOP.example.localhost:4480/ ws://shop.example.localhost:4480/ws',
    ],
    ['https://deep.er.any.example/', 'http://deep.er.any.example.localhost:4480/'],
    ['See https://shop.example.', 'See http://shop.example.localhost:4480.'],
  ])('%s is %s in the preview', (own, shown) => expect(toPreview(shop)(own)).toBe(shown))

  it.each([
    ...[
      'https://shop.example.org/',
      'https://notshop.example/',
      'https://cdn.shop.example/',
      'https://shop.example:8443/',
    ],
    ...[
      'ftp://shop.example/',
      'mail@shop.example',
      'https://other.example/a//shop.example/',
      'any.example',
      'shop.example',
    ],
  ])('%s stays', (text) => expect(toPreview(shop)(text)).toBe(text))

  it.each([
    [
      'redirect_to=http%3A%2F%2Fshop.example.localhost%3A4480%2Fwp-admin%2F',
      'redirect_to=https%3A%2F%2Fshop.example%2Fwp-admin%2F',
    ],
    [String.raw`{"u":"http:\/\/shop.example.localhost:4480\/"}`, String.raw`{"u":"https:\/\/shop.example\/"}`],
    ['<img src="//www.shop.example.localhost:4480/a">', '<img src="//www.shop.example/a">'],
    ['host=shop.example.localhost&port=4480', 'host=shop.example&port=4480'],
    [
      'http://shop.example.localhost:44801/ http://other.localhost:4480/',
      'https://shop.example:44801/ http://other.localhost:4480/',
    ],
  ])('%s is sent to the website as %s', (shown, own) => expect(fromPreview(shop)(shown)).toBe(own))

  it('are found with Unicode names, raw and escaped', () => {
    const blue = { ...shop, names: ['xn--blbr-roah.example'] }
    const raw = Buffer.from('https://blåbær.example/').toString('latin1')
    expect(toPreview(blue)(raw)).toBe(Buffer.from('http://blåbær.example.localhost:4480/').toString('latin1'))
    expect(toPreview(blue)('"http:\\/\\/bl\\u00e5b\\u00e6r.example"')).toBe(
      '"http:\\/\\/bl\\u00e5b\\u00e6r.example.localhost:4480"',
    )
  })

  it.each([1, 641])('are found at every boundary of a body in parts of %i bytes', async (size) => {
    const text = Array.from(
      { length: 12 },
      (_, i) => `${'x'.repeat(i * 97)}'https://shop.example/${i}å//shop.example`,
    ).join('')
    const stream = previewStream(shop)
    const bytes = Buffer.from(text)
    const heard = stream.toArray()
    for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size))
    stream.end()
    const whole = toPreview(shop)(bytes.toString('latin1'))
    expect(Buffer.concat(await heard).toString('latin1')).toBe(whole)
    expect(whole.match(/\.localhost:4480/g)?.length).toBe(13)
  })

  it.each([
    1, 641,
  ])('lose checksums of scripts in pages, and keep them elsewhere, in parts of %i bytes', async (size) => {
    const sum = 'sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC'
    const text = [
      ...[`<script src=https://shop.example/a.js integrity="${sum}" crossorigin>`, 'x'.repeat(700)],
      ...[`<link href='/a.css' integrity='${sum} ${sum}'>`, `<script integrity=${sum}>`, `<p>integrity="mine"`],
    ].join('')
    const through = async (isPage: boolean) => {
      const stream = previewStream(shop, { isPage })
      const heard = stream.toArray()
      for (let at = 0; at < text.length; at += size) stream.write(Buffer.from(text.slice(at, at + size)))
      stream.end()
      return Buffer.concat(await heard).toString()
    }
    const page = await through(true)
    expect(page).not.toContain('sha384')
    expect(page).toContain('a.js crossorigin>')
    expect(page).toContain(`<link href='/a.css'>`)
    expect(page).toContain('<script><p>integrity="mine"')
    expect((await through(false)).match(/sha384/g)?.length).toBe(4)
  })
})

describe('the preview', () => {
  let t: TestApp
  let site: Server
  let tlsSite: Server
  let preview: Server
  /** The latest request to the website, and its answer. */
  let asked: { method: string; url: string; headers: IncomingHttpHeaders; body: string }
  let answer: { status: number; headers: OutgoingHttpHeaders; body: Buffer }
  const says = (body: string | Buffer, headers: OutgoingHttpHeaders = {}, status = 200) => {
    answer = { status, headers: { 'content-type': 'text/html; charset=UTF-8', ...headers }, body: Buffer.from(body) }
  }
  const portOf = (one: Server) => (one.address() as AddressInfo).port

  beforeAll(async () => {
    t = await openTestApp()
    const { token } = await t.somebody('admin')
    const server = await enrolled(t.app.db, 'web-preview', { provisionedAt: new Date().toISOString() })
    await t.app.db.update(servers).set({ address: '127.0.0.1' }).where(eq(servers.id, server))
    const [owner] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'k@example.org' }).returning()
    const wanted = { originServer: server, domain: 'shop.example', plan: 'Business', userId: owner!.id }
    await t.call('POST', '/api/websites', { token, body: wanted })
    await carryOutAll(t.app.db, server, () => ({ status: 'done' }))
    const handle = (
      incoming: Parameters<Parameters<typeof createServer>[1] & object>[0],
      out: import('node:http').ServerResponse,
    ) => {
      const parts: Buffer[] = []
      incoming
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          const { method = '', url = '', headers } = incoming
          asked = { method, url, headers, body: Buffer.concat(parts).toString() }
          out.writeHead(answer.status, answer.headers).end(answer.body)
        })
    }
    const { key, pem } = await selfSigned(['shop.example'])
    site = createServer(handle).listen(0, '127.0.0.1')
    tlsSite = createTlsServer({ key, cert: pem }, handle).listen(0, '127.0.0.1')
    await Promise.all([site, tlsSite].map((one) => once(one, 'listening')))
    preview = await openPreview(t.app, { http: portOf(site), https: portOf(tlsSite) })
  })
  afterAll(async () => {
    for (const one of [preview, site, tlsSite]) one?.close()
    await t.close()
  })

  const own = () => `shop.example.localhost:${portOf(preview)}`
  const get = (path = '/', headers: OutgoingHttpHeaders = {}, method = 'GET', body = '') =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
      const all = { host: own(), ...headers }
      const sent = request(
        { host: '127.0.0.1', port: portOf(preview), method, path, headers: all, agent: false },
        (heard) => {
          heard.toArray().then((parts) => {
            const { statusCode: status = 0, headers } = heard
            resolve({ status, headers, body: Buffer.concat(parts).toString() })
          }, reject)
        },
      )
      sent.on('error', reject).end(body)
    })
  const serves = (https: boolean) =>
    t.app.db.update(websites).set({ ssl: https }).where(eq(websites.domain, 'shop.example'))

  it('shows pages, styles and data with their URLs, compressed or not, and other content unchanged', async () => {
    const page = '<link href="https://shop.example/a.css"><a href="https://other.example/">'
    const shown = `<link href="http://${own()}/a.css"><a href="https://other.example/">`
    says(page, { 'content-length': page.length })
    const plain = await get()
    expect([plain.status, plain.body, plain.headers['content-length']]).toEqual([200, shown, undefined])
    says(gzipSync(page), { 'content-encoding': 'gzip' })
    expect((await get()).body).toBe(shown)
    says(brotliCompressSync(page), { 'content-encoding': 'br', 'content-type': 'application/json' })
    const packed = await get()
    expect([packed.body, packed.headers['content-encoding']]).toEqual([shown, undefined])
    for (const headers of [{ 'content-type': 'image/png' }, { 'content-disposition': 'attachment; filename=a.html' }]) {
      says(page, headers)
      expect((await get()).body).toBe(page)
    }
  })

  it('tells the website no session of Innkeeper', async () => {
    says('')
    const ours = ['innkeeper=a', 'innkeeper-4400=b', '__Host-innkeeper=c', '__Host-innkeeper-device-8443=d']
    await get('/', { cookie: [ours[0], 'sid=1', ...ours.slice(1), 'innkeepers=2'].join('; ') })
    expect(asked.headers.cookie).toBe('sid=1; innkeepers=2')
    await get('/', { cookie: ours.join('; ') })
    expect(asked.headers).not.toHaveProperty('cookie')
  })

  it('keeps redirects, cookies, links and policies in the preview', async () => {
    says(
      '',
      {
        location: 'http://www.shop.example/cart?x=1',
        link: '<https://shop.example/wp-json/>; rel="https://api.w.org/"',
        'set-cookie': [
          'a=1; Path=/; Domain=.shop.example; Secure; SameSite=None',
          '__Host-b=2; Path=/; Secure; HttpOnly',
        ],
        'content-security-policy': "default-src 'self' shop.example *.other.example; upgrade-insecure-requests",
        'strict-transport-security': 'max-age=63072000',
      },
      302,
    )
    const { status, headers } = await get()
    expect([status, headers.location]).toEqual([302, `http://www.${own()}/cart?x=1`])
    expect(headers.link).toBe(`<http://${own()}/wp-json/>; rel="https://api.w.org/"`)
    expect(headers['set-cookie']).toEqual(['a=1; Path=/', '__Host-b=2; Path=/; Secure; HttpOnly'])
    expect(headers['content-security-policy']).toBe(`default-src 'self' ${own()} *.other.example`)
    expect(headers['strict-transport-security']).toBeUndefined()
  })

  it('sends the website its own name and URLs, and no data of Innkeeper', async () => {
    says('saved')
    const form = `back=http%3A%2F%2F${own().replace(':', '%3A')}%2Fcart&n=1`
    const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': form.length }
    const from = { origin: `http://${own()}`, referer: `http://${own()}/cart`, 'x-forwarded-host': 'evil.example' }
    await get(`/save?to=http://${own()}/`, { ...type, ...from }, 'POST', form)
    expect([asked.url, asked.body]).toEqual([
      '/save?to=http://shop.example/',
      'back=http%3A%2F%2Fshop.example%2Fcart&n=1',
    ])
    expect(asked.headers).toMatchObject({
      ...{ host: 'shop.example', origin: 'http://shop.example', referer: 'http://shop.example/cart' },
      ...{ 'x-forwarded-proto': 'http', 'content-length': String(asked.body.length) },
    })
    expect(asked.headers['x-forwarded-host']).toBeUndefined()
    await get('/', { referer: 'http://localhost:4400/websites/1' })
    expect(asked.headers.referer).toBeUndefined()
  })

  it('requests https if the website serves https, and explains if only the application requires https', async () => {
    says('', { location: 'https://shop.example/login' }, 301)
    const round = await get('/login')
    expect([round.status, round.body]).toEqual([
      502,
      'shop.example sends visitors to https, and web-preview serves http only.\n',
    ])
    await serves(true)
    says('<form action="https://shop.example/login">')
    expect((await get('/login', { origin: `http://${own()}` })).body).toBe(`<form action="http://${own()}/login">`)
    expect(asked.headers).toMatchObject({
      host: 'shop.example',
      origin: 'https://shop.example',
      'x-forwarded-proto': 'https',
    })
    await serves(false)
  })

  it('requests only names of websites in Innkeeper', async () => {
    says('never')
    asked = { method: '', url: '', headers: {}, body: '' }
    const port = portOf(preview)
    for (const host of [
      `other.example.localhost:${port}`,
      'shop.example',
      'localhost',
      `127.0.0.1:${port}`,
      'shop.example@evil.localhost',
    ])
      expect([host, (await get('/', { host })).status]).toEqual([host, 404])
    expect((await get('http://shop.example/', {})).status).toBe(400)
    expect(asked.url).toBe('')
    expect((await get('/', { host: `www.${own()}` })).status).toBe(200)
  })

  it('forwards WebSockets in both directions under the website’s name, also over https, and refusals unchanged', async () => {
    const talk = new WebSocketServer({ noServer: true })
    for (const one of [site, tlsSite])
      one.on('upgrade', (incoming, socket, head) => {
        asked = { method: '', url: incoming.url ?? '', headers: incoming.headers, body: '' }
        if (incoming.url === '/closed') return socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
        talk.handleUpgrade(incoming, socket, head, (ws) =>
          ws.on('message', (data, binary) => ws.send(data, { binary })),
        )
      })
    const open = (path: string, host = own()) => {
      const headers = { host, origin: `http://${own()}`, cookie: 'sid=1' }
      return new WebSocket(`ws://127.0.0.1:${portOf(preview)}${path}`, ['chat'], { headers })
    }
    for (const https of [false, true]) {
      await serves(https)
      const browser = open(`/ws?to=http%3A%2F%2F${encodeURIComponent(own())}%2F`)
      await once(browser, 'open')
      const scheme = https ? 'https' : 'http'
      expect(asked.headers).toMatchObject({ host: 'shop.example', origin: `${scheme}://shop.example`, cookie: 'sid=1' })
      expect(asked.url).toBe(`/ws?to=${scheme}%3A%2F%2Fshop.example%2F`)
      const big = Buffer.alloc(200_000, 7)
      for (const said of ['{"u":"æ"}', big]) {
        browser.send(said)
        const [heard] = await once(browser, 'message')
        expect(Buffer.compare(heard as Buffer, Buffer.from(said))).toBe(0)
      }
      browser.close(1000)
      expect((await once(browser, 'close'))[0]).toBe(1000)
    }
    await serves(false)
    for (const [path, host, status] of [
      ['/closed', own(), 403],
      ['/ws', `other.example.localhost:${portOf(preview)}`, 404],
    ] as const) {
      const [, heard] = await once(
        open(path, host).on('error', () => {}),
        'unexpected-response',
      )
      expect((heard as { statusCode: number }).statusCode).toBe(status)
    }
    talk.close()
  })
})
