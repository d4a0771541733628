import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTls, type TLSSocket } from 'node:tls'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sealNext } from '../../kit/audit/seal.ts'
import { rows } from '../../kit/db/db.ts'
import { signed } from '../../kit/outgoing/signed.ts'
import { selfSigned } from '../../net/ssl/certificates/generate.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { streamLog } from './stream.ts'
import { framed, syslogOf } from './syslog.ts'
import { readLogStream } from './view.ts'

const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
let t: TestApp
let pair: { pem: string; key: string }
const closing: (() => void)[] = []
beforeAll(async () => {
  t = await openTestApp()
  pair = await selfSigned(['localhost'])
})
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  await t.app.db.execute(sql`delete from log_streams`)
})
afterAll(() => t.close())

let written = 0
/** Writes and seals rows whose resources are numbered through all tests. */
async function log(n: number, after?: unknown): Promise<string[]> {
  const ids = Array.from({ length: n }, () => String(++written))
  await t.app.db.execute(sql`insert into action_logs (staff_id, staff_name, service, action, resource, resource_id, result, after)
    select 1, 'Ingrid Ødegård', 'website', 'delete', 'website', id, 'success', ${JSON.stringify(after ?? null)}::jsonb
    from unnest(${sql.param(ids)}::text[]) with ordinality as u(id, at) order by at`)
  while (await sealNext(t.app.db)) {} // until every row has its seal
  return ids
}
/** A process of its own: it shares nothing with others but the database. */
const node = () => ({ ...t.app, database: { ...t.app.database } })
/** Begins at the present end of the log. */
const begin = async (app = node()) => {
  await streamLog(app)
  return app
}
/** As if the pause after a failure, or the time of the process that streams, had passed. */
const later = () => t.app.db.execute(sql`update log_streams set held_until = now() - interval '1 second'`)

/** A receiver of RFC 5425. `takes` says how much it reads before it breaks off. */
async function syslog(takes: (socket: TLSSocket) => void = () => {}) {
  const messages: string[] = []
  const server = createTls({ cert: pair.pem, key: pair.key }, (socket) => {
    let text = Buffer.alloc(0)
    socket.on('error', () => {})
    takes(socket)
    socket.on('data', (part) => {
      text = Buffer.concat([text, part])
      for (;;) {
        const [, length = ''] = /^(\d+) /.exec(text.subarray(0, 12).toString('latin1')) ?? []
        const end = length.length + 1 + Number(length)
        if (!length || text.length < end) return
        messages.push(text.subarray(length.length + 1, end).toString('utf8'))
        text = text.subarray(end)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  t.app.settings.logStream = { url: `syslog+tls://localhost:${port}`, tls: { ca: pair.pem } }
  const resources = () => messages.map((one) => JSON.parse(one.slice(one.indexOf('{'))).resourceId)
  return { messages, resources, close: () => server.close() }
}
async function sink(answer: RequestListener) {
  const heard: { headers: Record<string, unknown>; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      heard.push({ headers: request.headers, body })
      answer(request, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/log`
  t.app.settings.logStream = { url, secret, tls: {} }
  return heard
}

describe('the stream to syslog', () => {
  it('has every row once and in order, as RFC 5424 over TLS', async () => {
    await log(3) // before the stream begins
    const receiver = await syslog()
    const app = await begin()
    const ids = await log(600)
    await streamLog(app)
    expect(receiver.resources()).toEqual(ids)
    expect(receiver.messages[0]).toMatch(
      /^<110>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S+ innkeeper - website\.delete - \{"id"/,
    )
    expect(receiver.messages[0]).toContain('Ingrid Ødegård')
    expect(await readLogStream(t.app.db, t.app.settings)).toMatchObject({ rows: 0, error: null, failingSince: null })
  })

  it('loses nothing while the receiver is away, and says so', async () => {
    const receiver = await syslog()
    const app = await begin()
    const before = await log(2)
    await streamLog(app)
    receiver.close()
    const during = await log(3)
    await streamLog(node()) // another process may not yet
    await streamLog(app)
    const shown = await readLogStream(t.app.db, t.app.settings)
    expect(shown).toMatchObject({ rows: 3, error: expect.stringContaining('ECONNREFUSED') })
    expect(shown?.failingSince).not.toBeNull()
    const again = await syslog()
    await later()
    await streamLog(node())
    expect([receiver.resources(), again.resources()]).toEqual([before, during])
    expect(await readLogStream(t.app.db, t.app.settings)).toMatchObject({ rows: 0, error: null })
  })

  it('sends again what a receiver took only in part', async () => {
    let isBroken = true
    const receiver = await syslog((socket) => {
      if (isBroken) socket.once('data', () => socket.destroy())
    })
    const app = await begin()
    const ids = await log(5)
    await streamLog(app)
    isBroken = false
    await later()
    await streamLog(node())
    expect(receiver.resources().slice(-5)).toEqual(ids)
    expect(await readLogStream(t.app.db, t.app.settings)).toMatchObject({ rows: 0 })
  })

  it('comes from one process at a time', async () => {
    const receiver = await syslog()
    const [one, other] = [await begin(), node()]
    const ids = await log(20)
    await Promise.all([streamLog(one), streamLog(other), streamLog(one), streamLog(other)])
    expect(new Set(receiver.resources())).toEqual(new Set(ids))
    await log(1)
    const before = receiver.messages.length
    await streamLog(other)
    expect(receiver.messages).toHaveLength(before)
  })

  it('goes to no receiver with another certificate', async () => {
    const receiver = await syslog()
    const other = await selfSigned(['localhost'])
    t.app.settings.logStream!.tls.ca = other.pem
    const app = await begin()
    await log(1)
    await streamLog(app)
    expect(receiver.messages).toEqual([])
    expect((await readLogStream(t.app.db, t.app.settings))?.error).toMatch(/self.signed|certificate|signature/i)
  })

  it('leaves the values out of a row that receivers would cut, and says so', () => {
    const row = {
      ...{ id: 1, time: '2026-11-29T01:00:00.000Z', staffId: 1, staffName: 'A', service: 'dns zone', action: 'ø' },
      ...{ resource: null, resourceId: null, subject: 'x', result: 'denied' as const, before: null },
      ...{ after: { text: 'long '.repeat(4000) }, workflowId: null, ip: null, requestId: null, seal: 7, hash: 'h' },
    }
    const text = syslogOf(row, 'inn keeper.example')
    expect(text).toMatch(/^<109>1 \S+ inn_keeper\.example innkeeper - dns_zone\._ - /)
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({ seal: 7, hash: 'h', isCut: true })
    expect(Buffer.byteLength(text)).toBeLessThan(8000)
    expect(framed('ø')).toBe('2 ø')
  })
})

describe('the stream to an address', () => {
  it('is signed, whole, and sent again until it is taken', async () => {
    let status = 503
    const heard = await sink((_, response) => void response.writeHead(status).end('x'.repeat(100_000)))
    const app = await begin()
    const ids = await log(2, { text: 'long '.repeat(4000) })
    await streamLog(app)
    expect((await readLogStream(t.app.db, t.app.settings))?.error).toBe('the receiver answered 503')
    status = 200
    await later()
    await streamLog(node())
    expect(heard).toHaveLength(2)
    const { headers, body } = heard[1]!
    expect(
      body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).resourceId),
    ).toEqual(ids)
    expect(body).toContain('long long')
    const at = Number(headers['webhook-timestamp'])
    expect(headers['webhook-signature']).toBe(signed([secret], String(headers['webhook-id']), at, body))
  })

  it('keeps the order of the chain when a transaction commits late', async () => {
    const heard = await sink((_, response) => void response.writeHead(204).end())
    const app = await begin()
    await log(3)
    await streamLog(app)
    const seals = heard.flatMap(({ body }) =>
      body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).seal),
    )
    const [end] = await rows<{ position: number }>(
      t.app.db,
      sql`select max(position)::int as position from action_log_seals`,
    )
    expect(seals).toEqual([end!.position - 2, end!.position - 1, end!.position])
  })
})
