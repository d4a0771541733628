import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect } from 'node:http2'
import { createServer as createSecure, type Server } from 'node:https'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { made } from './certificates.ts'
import { rootOf, siteOf } from './fixtures.ts'
import type { Host, Practice } from './practice.ts'

/** Bytes, more than a web server keeps in memory, and than the former limit of a forwarded body. */
const LARGE = 70 * 1_048_576

/** Tests of a website that has moved, on a host that serves `first.example`. Each test is a form of request. */
export function forwardCases(web: 'nginx' | 'apache', practice: () => Practice<Host>): void {
  describe('the old server of a moved website forwards', () => {
    const domain = 'moved.example'
    let p: Practice<Host>
    /** The new server: what it was asked last, and how it answers. */
    let answer: (asked: IncomingMessage, answer: ServerResponse) => unknown
    const there = createServer((asked, answered) => answer(asked, answered))
    const sockets = new WebSocketServer({ server: there })
    sockets.on('error', () => undefined) // for `once`, which waits for the server and reports its error
    sockets.on('connection', (socket) => socket.on('message', (data, binary) => socket.send(data, { binary })))
    let secure: Server | undefined

    const usual = async (asked: IncomingMessage, answered: ServerResponse) => {
      const { method, url, headers } = asked
      answered.end(JSON.stringify({ method, url, headers, body: (await text(asked)).length }))
    }
    beforeAll(async () => {
      p = practice()
      await p.done('document-root.ensure', rootOf(domain))
      answer = usual
      there.listen(80, p.host.gateway)
      await once(there, 'listening')
      await p.done(`${web}-site.ensure`, siteOf(domain))
      await p.done(`${web}-site.ensure`, {
        ...siteOf(domain),
        state: 'moved',
        before: 'moving',
        movedTo: p.host.gateway,
      })
    })
    afterAll(async () => {
      sockets.close()
      there.closeAllConnections()
      there.close()
      secure?.close()
    })

    const ask = (path: string, options: object = {}, headers: IncomingHttpHeaders = {}) =>
      request({ host: p.host.address, path, headers: { host: domain, ...headers }, ...options })
    const answerOf = async (asked: ReturnType<typeof request>): Promise<IncomingMessage> =>
      (await once(asked, 'response'))[0] as IncomingMessage
    const seen = async (path: string, options: object = {}, headers: IncomingHttpHeaders = {}) =>
      JSON.parse(await text(await answerOf(ask(path, options, headers).end())))

    test('a WebSocket, with its address', async () => {
      const told = once(sockets, 'connection')
      const socket = new WebSocket(`ws://${p.host.address}/live?room=1`, { headers: { host: domain } })
      await once(socket, 'open')
      socket.send('word')
      socket.send(Buffer.alloc(200_000, 7))
      const [[word], [bytes]] = [await once(socket, 'message'), await once(socket, 'message')]
      expect([String(word), (bytes as Buffer).length]).toEqual(['word', 200_000])
      const [, { url, headers }] = (await told) as [unknown, IncomingMessage]
      expect([url, headers.host, headers['x-forwarded-for']]).toEqual(['/live?room=1', domain, p.host.gateway])
      socket.close()
      await once(socket, 'close')
      // offers of HTTP/2 are not passed on, and no answer offers HTTP/2
      const offer = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' }
      const offered = await answerOf(ask('/', {}, offer).end())
      expect([offered.statusCode, offered.headers.upgrade]).toEqual([200, undefined])
      expect(JSON.parse(await text(offered)).headers.upgrade).toBeUndefined()
    })

    test('paths and queries as visitors write them', async () => {
      for (const path of ['/', '/a%2Fb', '/a//b', '/a/', '/a%20b?c=%2F&d=%C3%A4', '/a/../b', '/%3Fx?y'])
        expect([path, (await seen(path)).url]).toEqual([path, path])
    })

    test('methods, ranges, conditions and compressed answers', async () => {
      expect((await seen('/', { method: 'PATCH' })).method).toBe('PATCH')
      expect((await seen('/', { method: 'PROPFIND' })).method).toBe('PROPFIND')
      const wanted = { range: 'bytes=1-2', 'if-none-match': '"x"', 'accept-encoding': 'gzip, br' }
      let told: IncomingHttpHeaders = {}
      answer = ({ headers }, answered) => {
        told = headers
        answered.writeHead(206, {
          'content-range': 'bytes 1-2/9',
          etag: '"x"',
          'content-encoding': 'br',
          'content-length': 2,
        })
        answered.end('bc')
      }
      for (const method of ['GET', 'HEAD']) {
        const answered = await answerOf(ask('/', { method }, wanted).end())
        expect([answered.statusCode, answered.headers['content-length'], await text(answered)]).toEqual([
          206,
          '2',
          method === 'GET' ? 'bc' : '',
        ])
        expect(told).toMatchObject(wanted)
        expect(answered.headers).toMatchObject({
          'content-range': 'bytes 1-2/9',
          etag: '"x"',
          'content-encoding': 'br',
        })
      }
      answer = usual
    })

    test.for([
      'with its length',
      'in chunks',
      'after 100 Continue',
    ])('a large upload %s while it is sent', async (how) => {
      let begun = () => {}
      const arrived = new Promise<void>((resolve) => {
        begun = resolve
      })
      let size = 0
      answer = async (asked, answered) => {
        begun()
        for await (const part of asked) size += part.length
        answered.end('done')
      }
      const asked = ask(
        '/up',
        { method: 'POST' },
        how === 'in chunks'
          ? { 'transfer-encoding': 'chunked' }
          : { 'content-length': `${LARGE}`, ...(how === 'after 100 Continue' && { expect: '100-continue' }) },
      )
      asked.flushHeaders()
      if (how === 'after 100 Continue') await once(asked, 'continue')
      asked.write(Buffer.alloc(1_048_576))
      await arrived // before the body is complete
      for (let sent = 1_048_576; sent < LARGE; sent += 1_048_576)
        if (!asked.write(Buffer.alloc(1_048_576))) await once(asked, 'drain')
      asked.end()
      expect(await text(await answerOf(asked))).toBe('done')
      expect(size).toBe(LARGE)
      answer = usual
    })

    test('events of a page as they come', async () => {
      let finish = () => {}
      answer = (_, answered) => {
        answered.writeHead(200, { 'content-type': 'text/event-stream' })
        answered.write('data: one\n\n')
        finish = () => answered.end('data: two\n\n')
      }
      const answered = await answerOf(ask('/events').end())
      const [one] = await once(answered, 'data')
      expect(String(one)).toBe('data: one\n\n')
      finish()
      expect(await text(answered)).toBe('data: two\n\n')
      answer = usual
    })

    test('the address of the visitor, and nothing that a visitor says about it', async () => {
      const lies = {
        'x-forwarded-for': '203.0.113.9',
        'x-real-ip': '203.0.113.9',
        'x-forwarded-proto': 'https',
        forwarded: 'for=203.0.113.9',
      }
      const { headers } = await seen(
        '/',
        {},
        {
          ...lies,
          'x-forwarded-host': 'evil.example',
          'client-ip': '203.0.113.9',
          'true-client-ip': '203.0.113.9',
          'x-original-url': '/evil',
        },
      )
      expect(headers).toMatchObject({ host: domain, 'x-forwarded-proto': 'http' })
      expect(headers['x-forwarded-for']).toBe(p.host.gateway)
      expect(JSON.stringify(headers)).not.toMatch(/203\.0|evil|https/)
    })

    test('visitors over HTTP/2, by https', async () => {
      const pair = await made(p, domain)
      secure = createSecure({ cert: pair.chain, key: pair.privateKey }, (...both) => answer(...both)).listen(
        443,
        p.host.gateway,
      )
      await once(secure, 'listening')
      await p.done('tls-site.ensure', { ...pair, domain, names: [domain], redirect: false, hsts: 0 })
      const visitor = connect(`https://${p.host.address}`, { servername: domain, rejectUnauthorized: false })
      const asked = visitor.request({ ':method': 'POST', ':path': '/a%2Fb?c', ':authority': domain })
      asked.end('body')
      const told = JSON.parse(await text(asked))
      expect(told).toMatchObject({ method: 'POST', url: '/a%2Fb?c', body: 4 })
      expect(told.headers).toMatchObject({
        host: domain,
        'x-forwarded-proto': 'https',
        'x-forwarded-for': p.host.gateway,
      })
      visitor.close()
      await once(visitor, 'close')
    })

    test('under a new name once its remains are renamed, and under the former name again after undo', async () => {
      const now = 'later.example'
      const root = rootOf(domain)
      const folder = { ...root, newDomain: now }
      await p.done('document-root.close', { ...root, state: 'closed' })
      const { id: opened } = await p.done('document-root.close', { ...root, state: 'open' })
      const { id: renamed } = await p.done('document-root.rename', folder)
      const { state: _, ...to } = siteOf(now)
      const there = { ...to, redirects: [domain], state: 'moved' as const, movedTo: p.host.gateway }
      const input = { ...there, from: domain, beforeNames: { aliases: [] }, beforeRoot: root.path }
      const { id } = await p.done(`${web}-site.rename`, input)
      const place = async (name: string) => (await answerOf(ask('/a?b', {}, { host: name }).end())).headers.location
      expect((await seen('/a%2Fb', {}, { host: now })).headers.host).toBe(now)
      expect(await place(domain)).toBe(`http://${now}/a?b`)
      expect(await p.sh('readlink', `/home/web1/${domain}`)).toBe(`${now}\n`)
      await p.done(`${web}-site.rename`, input, { id, task: 'undo' })
      await p.done('document-root.rename', folder, { id: renamed, task: 'undo' })
      await p.done('document-root.close', { ...root, state: 'open' }, { id: opened, task: 'undo' })
      expect((await seen('/a%2Fb')).headers.host).toBe(domain)
      expect(await p.sh('stat', '--format=%U %a', `/home/web1/${domain}`)).toBe('root 700\n')
    })
  })
}
