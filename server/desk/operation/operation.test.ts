import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { signed } from '../../kit/outgoing/signed.ts'
import { lateOf, report } from '../../kit/watch/nodes.ts'
import { ownTroubles } from '../../kit/watch/ownTroubles.ts'
import type { Trouble, TroubleSource } from '../../kit/watch/trouble.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { deliverAlerts, PAUSES } from './alerts/deliver.ts'
import { notifyAway } from './away.ts'
import { compareTroubles, QUIET_S } from './compare.ts'
import { beat } from './heartbeat.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
let t: TestApp
let found: Trouble[]
const closing: (() => void)[] = []
beforeAll(async () => {
  t = await openTestApp()
})
beforeEach(() => {
  found = []
  Object.assign(t.app, { troubles: [{ prefix: 'disk', find: async () => found }] })
  Object.assign(t.app.settings, { alerts: {}, heartbeat: undefined })
})
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  for (const table of ['own_troubles', 'own_alerts', 'own_heartbeats', 'nodes'])
    await t.app.db.execute(sql`delete from ${sql.identifier(table)}`)
})
afterAll(() => t.close())

interface Heard {
  headers: IncomingMessage['headers']
  url: string
  body: string
}
async function receiver(answer: RequestListener = (_, response) => void response.writeHead(204).end()) {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      heard.push({ headers: request.headers, url: request.url ?? '', body })
      answer(request, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, heard }
}
/** A relay that takes one mail after another. */
async function relay() {
  const mails: string[] = []
  const server = createTcp((socket) => {
    let text = ''
    let isData = false
    socket.write('220 relay\r\n')
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
      if (isData) {
        if (!text.endsWith('\r\n.\r\n')) return
        mails.push(text)
        ;[text, isData] = ['', false]
        socket.write('250 taken\r\n')
        return
      }
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end).toUpperCase()
        text = text.slice(end + 2)
        if (line === 'DATA') isData = true
        socket.write(line === 'DATA' ? '354 go\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const smtp = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { mails, mail: { to: ['ops@example.org', 'duty@example.org'], from: 'innkeeper@example.org', smtp } }
}

const full: Trouble = { key: 'disk 1', title: 'The disk is full', detail: '99 %', level: 'error' }
const quiet = () =>
  t.app.db.execute(sql`update own_troubles set absent_since = absent_since - make_interval(secs => ${QUIET_S + 1})`)
const due = () => t.app.db.execute(sql`update own_alerts set next_at = now() where next_at is not null`)

describe('a fault', () => {
  it('is told once when it begins and once when it has ended, by mail and webhook and to administrators', async () => {
    const { token } = await t.somebody('admin')
    const [hook, post] = [await receiver(), await relay()]
    t.app.settings.alerts = { webhook: { url: hook.url, secret }, mail: post.mail }
    found = [full]
    await Promise.all([compareTroubles(t.app), compareTroubles(t.app)])
    await Promise.all([deliverAlerts(t.app), deliverAlerts(t.app)])
    await compareTroubles(t.app)
    await deliverAlerts(t.app)
    expect([hook.heard.length, post.mails.length]).toEqual([1, 1])
    const { headers, body } = hook.heard[0]!
    const said = JSON.parse(body)
    expect(said).toMatchObject({ type: 'alert.begun', data: { title: 'Innkeeper: The disk is full' } })
    const at = Number(headers['webhook-timestamp'])
    expect(headers['webhook-signature']).toBe(signed([secret], String(headers['webhook-id']), at, body))
    expect(post.mails[0]).toMatch(/Subject: Innkeeper: The disk is full/)
    expect(post.mails[0]).toMatch(/To: ops@example.org, duty@example.org/)
    const bell = await t.call('GET', '/api/employee-controller/notifications?reason=health', { token })
    expect(bell.body.items).toMatchObject([{ title: 'The disk is full', body: '99 %', level: 'error' }])

    found = []
    await compareTroubles(t.app)
    await deliverAlerts(t.app)
    expect(hook.heard).toHaveLength(1) // not before it has stayed away for a while
    await quiet()
    await compareTroubles(t.app)
    await deliverAlerts(t.app)
    expect(JSON.parse(hook.heard[1]!.body)).toMatchObject({ type: 'alert.ended' })
    expect(post.mails[1]).toMatch(/Over: The disk is full/)
  })

  it('that comes and goes is one fault', async () => {
    const hook = await receiver()
    t.app.settings.alerts = { webhook: { url: hook.url, secret } }
    for (const now of [[full], [], [full], [], [full]]) {
      found = now
      await compareTroubles(t.app)
    }
    await deliverAlerts(t.app)
    expect(hook.heard).toHaveLength(1)
  })

  it('stays open while its source cannot be read', async () => {
    found = [full]
    await compareTroubles(t.app)
    Object.assign(t.app, { troubles: [{ prefix: 'disk', find: () => Promise.reject(new Error('no')) }] })
    await compareTroubles(t.app)
    await quiet()
    await compareTroubles(t.app)
    const [open] = await rows<{ away: string | null }>(t.app.db, sql`select absent_since as away from own_troubles`)
    expect(open).toEqual({ away: null })
  })

  it('that nobody looks for any more is told as such, and is not over', async () => {
    const { token } = await t.somebody('admin')
    const hook = await receiver()
    t.app.settings.alerts = { webhook: { url: hook.url, secret } }
    const gone = { ...full, key: 'disk 2', title: 'The other disk is full' }
    found = [full, gone]
    const isWatched: TroubleSource['isWatched'] = async ({ db }, key) => {
      const [asked] = await rows<{ is: boolean }>(db, sql`select ${key} = ${full.key} as is`)
      return asked?.is === true
    }
    Object.assign(t.app, { troubles: [{ prefix: 'disk', find: async () => found, isWatched }] })
    await compareTroubles(t.app)
    found = []
    await compareTroubles(t.app)
    await quiet()
    await compareTroubles(t.app)
    for (let n = 0; n < 3; n++) await deliverAlerts(t.app)
    const said = hook.heard.map(({ body }) => JSON.parse(body)).map(({ type, data }) => [type, data.title])
    expect(said.slice(1).toSorted()).toEqual([
      ['alert.ended', 'Innkeeper: No longer watched: The other disk is full'],
      ['alert.ended', 'Innkeeper: Over: The disk is full'],
    ])
    const { body } = await t.call('GET', '/api/employee-controller/notifications?reason=health', { token })
    const levels = body.items.map(({ title, level }: { title: string; level: string }) => [title, level])
    expect(levels).toContainEqual(['No longer watched: The other disk is full', 'info'])
    expect(levels).toContainEqual(['Over: The disk is full', 'success'])
  })

  it('stays open while it cannot be seen, and does not begin so', async () => {
    found = [full]
    await compareTroubles(t.app)
    found = [
      { ...full, isUnseen: true },
      { ...full, key: 'disk 3', isUnseen: true },
    ]
    await compareTroubles(t.app)
    await quiet()
    await compareTroubles(t.app)
    const open = await rows<{ key: string }>(t.app.db, sql`select key from own_troubles where ended_at is null`)
    expect(open).toEqual([{ key: full.key }])
  })

  it('of a node is no longer seen when the node dies, and no longer watched when the node is removed', async () => {
    const [nodes] = ownTroubles
    const seen = async () => (await nodes!.find(t.app)).map(({ key, isUnseen }) => [key, isUnseen === true])
    const is = { instance: 'x', name: 'node:1', startedAt: new Date().toISOString(), version: '1', roles: [], late: [] }
    await report(t.app.db, { ...is, diskFree: 1, diskTotal: 1e12, clockMs: 0 })
    expect(await seen()).toEqual([['node full node:1', false]])
    await t.app.db.execute(sql`update nodes set at = now() - interval '1 hour'`)
    expect(await seen()).toEqual([
      ['node gone node:1', false],
      ['node full node:1', true],
    ])
    expect(await nodes!.isWatched!(t.app, 'node full node:1')).toBe(true)
    expect(await nodes!.isWatched!(t.app, 'node full node:10')).toBe(false)
    await t.app.db.execute(sql`delete from nodes`)
    expect(await nodes!.isWatched!(t.app, 'node full node:1')).toBe(false)
  })

  it('with many others is one alert', async () => {
    const hook = await receiver()
    t.app.settings.alerts = { webhook: { url: hook.url, secret } }
    found = Array.from({ length: 500 }, (_, n) => ({ ...full, key: `disk ${n}` }))
    await compareTroubles(t.app)
    await deliverAlerts(t.app)
    expect(JSON.parse(hook.heard[0]!.body).data.troubles).toHaveLength(200)
    expect(hook.heard).toHaveLength(1)
  })
})

describe('an alert', () => {
  it('is tried again while its receiver refuses it, and the page says why', async () => {
    const { token } = await t.somebody(['operation:health:read'])
    let status = 500
    const hook = await receiver((_, response) => void response.writeHead(status).end())
    t.app.settings.alerts = { webhook: { url: hook.url, secret } }
    found = [full]
    await compareTroubles(t.app)
    await deliverAlerts(t.app)
    await deliverAlerts(t.app)
    expect(hook.heard).toHaveLength(1) // the next attempt is not due yet
    const shown = await t.call('GET', '/api/operation', { token })
    expect(shown.body.channels).toMatchObject([
      { channel: 'webhook', to: new URL(hook.url).host, waiting: 1, error: 'the receiver answered 500', sentAt: null },
    ])
    status = 200
    await due()
    await deliverAlerts(t.app)
    const ids = hook.heard.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
    const after = await t.call('GET', '/api/operation', { token })
    expect(after.body.channels).toMatchObject([{ waiting: 0, error: null, sentAt: expect.any(String) }])
  })

  it('is given up after the last attempt', async () => {
    t.app.settings.alerts = { webhook: { url: 'http://127.0.0.1:9/', secret } }
    found = [full]
    await compareTroubles(t.app)
    await t.app.db.execute(sql`update own_alerts set attempts = ${PAUSES.length}`)
    await deliverAlerts(t.app)
    const [alert] = await rows<{ next: string | null; error: string }>(
      t.app.db,
      sql`select next_at as next, error from own_alerts`,
    )
    expect(alert).toMatchObject({ next: null, error: expect.stringContaining('ECONNREFUSED') })
  })

  it('by text message says when no gateway is set up', async () => {
    t.app.settings.alerts = { sms: { to: ['+4712345678'] } }
    found = [full]
    await compareTroubles(t.app)
    await deliverAlerts(t.app)
    const [alert] = await rows<{ error: string }>(t.app.db, sql`select error from own_alerts`)
    expect(alert?.error).toMatch(/no gateway is set up/)
  })

  it('goes to the queue of the gateway once', async () => {
    await t.app.db.execute(sql`insert into sms_settings (gateway, url, username, has_secret, sender, public_url, time_zone,
      per_day, currency, max_attempts, alert_reasons, alert_level, alert_departments, fallback_ids, escalate_minutes)
      values ('http', 'http://127.0.0.1:9', '', true, '', '', 'UTC', 20, 'EUR', 6, '{}', 'error', '{}', '{}', 15)`)
    t.app.settings.alerts = { sms: { to: ['+4712345678', '+4787654321'] } }
    found = [full]
    await compareTroubles(t.app)
    await deliverAlerts(t.app)
    await t.app.db.execute(sql`update own_alerts set next_at = now() - interval '1 second'`) // as if the process had been killed
    await deliverAlerts(t.app)
    const sent = await rows(t.app.db, sql`select number, body, kind from sms_messages order by number`)
    expect(sent).toEqual(
      ['+4712345678', '+4787654321'].map((number) => ({ number, body: 'Innkeeper: The disk is full', kind: 'alert' })),
    )
    await t.app.db.execute(sql`delete from sms_messages`)
    await t.app.db.execute(sql`delete from sms_settings`)
  })

  it('can be tried', async () => {
    const hook = await receiver()
    const { token } = await t.somebody('admin')
    t.app.settings.alerts = { webhook: { url: hook.url, secret } }
    const tried = await t.call('POST', '/api/operation/test-alert', { token, body: {} })
    expect([tried.status, tried.body]).toEqual([201, { channels: ['webhook'] }])
    await deliverAlerts(t.app)
    expect(JSON.parse(hook.heard[0]!.body)).toMatchObject({ type: 'alert.test' })
  })

  it('of an absent database needs no database, and is sent once', async () => {
    const hook = await receiver()
    t.app.settings.alerts = { webhook: { url: hook.url, secret }, sms: { to: ['+4712345678'] } }
    const away = { ...t.app, database: { ...t.app.database, isAway: () => true } } as typeof t.app
    await notifyAway(away, 0)
    await notifyAway(away, 30_000)
    expect(hook.heard).toHaveLength(0)
    await notifyAway(away, 61_000)
    await notifyAway(away, 200_000)
    expect(hook.heard.map(({ body }) => JSON.parse(body).type)).toEqual(['alert.begun'])
    away.database.isAway = () => false
    await notifyAway(away, 300_000)
    await notifyAway(away, 300_000)
    expect(hook.heard.map(({ body }) => JSON.parse(body).type)).toEqual(['alert.begun', 'alert.ended'])
  })
})

describe('the heartbeat', () => {
  const at = async () => {
    const { token } = await t.somebody(['operation:health:read'])
    return (await t.call('GET', '/api/operation', { token })).body.heartbeat
  }
  it('is sent by one worker at a time, and its last success is shown without its address', async () => {
    const place = await receiver()
    t.app.settings.heartbeat = { url: `${place.url}/secret`, everyS: 60 }
    await Promise.all([beat(t.app), beat(t.app)])
    await beat(t.app)
    expect(place.heard.map(({ url }) => url)).toEqual(['/hook/secret'])
    expect(await at()).toMatchObject({ to: new URL(place.url).host, sentAt: expect.any(String), failingSince: null })
    expect(JSON.stringify(await at())).not.toContain('secret')
  })

  it('is not sent while a schedule of the worker does not succeed', async () => {
    const place = await receiver()
    t.app.settings.heartbeat = { url: place.url, everyS: 60 }
    const late = { everyMs: -1e15, succeededAt: 0, tookMs: 0, failures: 9 } // late whatever the time
    await beat({ ...t.app, rounds: new Map([['sweep', late]]) })
    expect(place.heard).toHaveLength(0)
  })

  it('that is refused says since when and why', async () => {
    const place = await receiver((_, response) => void response.writeHead(404).end())
    t.app.settings.heartbeat = { url: place.url, everyS: 60 }
    await beat(t.app)
    expect(await at()).toMatchObject({ failingSince: expect.any(String), error: 'the address answered 404' })
  })

  it('never goes to Innkeeper itself, nor to the secrets of a cloud', async () => {
    t.app.settings.heartbeat = { url: 'http://169.254.169.254/latest', everyS: 60 }
    await beat(t.app)
    expect(await at()).toMatchObject({ error: '169.254.169.254 is never asked' })
  })
})

describe('processes', () => {
  const seen = {
    ...{ name: 'web-1:4400', instance: 'a', roles: ['api'], version: '1', late: [], clockMs: 0 },
    ...{ startedAt: '2026-01-10T10:00:00Z', diskFree: 50e9, diskTotal: 100e9 },
  }
  const keys = async () => {
    const [source] = (await import('../../kit/watch/ownTroubles.ts')).ownTroubles
    return (await source!.find(t.app)).map(({ title }) => title)
  }
  it('that are killed are faults until they start again or somebody removes them', async () => {
    const { token } = await t.somebody('admin')
    await report(t.app.db, seen)
    const forget = async () => {
      const [{ _ = 0, id = 0 } = {}] = await rows<{ _?: number; id?: number }>(
        t.app.db,
        sql`select node_id as id from nodes`,
      )
      return (await t.call('DELETE', `/api/operation/nodes/${id + _}`, { token })).status
    }
    expect(await forget()).toBe(409)
    await t.app.db.execute(sql`update nodes set at = now() - interval '3 minutes'`)
    expect(await keys()).toEqual(['web-1:4400 has stopped without a word'])
    await report(t.app.db, { ...seen, instance: 'b' })
    expect(await keys()).toEqual([])
    await t.app.db.execute(sql`update nodes set at = now() - interval '3 minutes'`)
    expect(await forget()).toBe(204)
    expect(await keys()).toEqual([])
  })

  it('with a full disk, a wrong clock or a late schedule are faults', async () => {
    await report(t.app.db, { ...seen, diskFree: 2e8, clockMs: -900_000, late: ['sweep'] })
    expect(await keys()).toEqual([
      '“sweep” does not succeed on web-1:4400',
      'The disk of web-1:4400 is nearly full',
      'The clock of web-1:4400 is wrong',
    ])
  })

  it('count a schedule as late from its last success, or from their start', () => {
    const round = (succeededAt: number) => new Map([['x', { everyMs: 1000, succeededAt, tookMs: 0, failures: 0 }]])
    expect(lateOf(round(0), 302_000, 0)).toEqual([])
    expect(lateOf(round(0), 304_000, 0)).toEqual(['x'])
    expect(lateOf(round(100_000), 304_000, 0)).toEqual([])
  })
})
