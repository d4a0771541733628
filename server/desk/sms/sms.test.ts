import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notify } from '../../access/notifications/notify.ts'
import { profiles } from '../../access/profiles/tables.ts'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { raiseAlerts } from './alerts/raise.ts'
import { nameMissing, readReport } from './reports.ts'
import { deliver } from './sending/deliver.ts'
import { expandDue } from './sending/due.ts'
import { endOfQuiet } from './sending/quiet.ts'
import { callbackKey, readSettings } from './settings.ts'
import { type GatewayAnswer, openGateway } from './test/gateway.ts'

let t: TestApp
let gateway: Awaited<ReturnType<typeof openGateway>>
let admin = ''
let nextAnswer: GatewayAnswer = { status: 202, text: '0: Accepted for delivery' }
let last = 100

beforeAll(async () => {
  t = await openTestApp()
  gateway = await openGateway(() => nextAnswer)
  admin = (await t.somebody('admin')).token
  await setUp({ gateway: 'kannel', url: gateway.url, username: 'ink', secret: 'of-the-gateway', sender: 'Fjellhost' })
})
afterAll(async () => {
  await gateway.close()
  await t.close()
})

const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, token = admin) =>
  t.call(method, `/api/sms/${path}`, { token, ...(body !== undefined && { body }) })
const setUp = async (body: object) => (await ask('PATCH', 'settings', body)).body
const fresh = () => `+4799${String(100_000 + ++last)}`
const send = async (body: object) => (await ask('POST', 'messages', { to: fresh(), body: 'Hello', ...body })).body
const messagesOf = async (batchId: number) => (await ask('GET', `messages?batchId=${batchId}`)).body.items
const gotBy = (number: string) => gateway.got.filter(({ url }) => url.searchParams.get('to') === number)
const call = (of: 'report' | 'reply', query: Record<string, string>) =>
  t.call('GET', `/api/sms/callbacks/${of}?${new URLSearchParams(query)}`)
const keyOf = () => callbackKey(t.app, t.app.db)
const someone = async (phone: string | null) => {
  const person = await t.somebody([])
  await t.app.db.insert(profiles).values({ id: person.id, phone })
  return person
}
const works = async (userId: number) => {
  const at = new Date()
  const span = [new Date(at.getTime() - 3_600_000), new Date(at.getTime() + 3_600_000)].map((one) => one.toISOString())
  await t.app.db.execute(sql`insert into shifts (user_id, date, shift_type_id, name, code, colour, start_minute, end_minute, break_minutes,
      starts_at, ends_at, time_zone, night_steps, weighted420, status, source, batch_id)
    select ${userId}, ${at.toISOString().slice(0, 10)}::date, 1, 'Day', 'D', 'info', 0, 1440, 0, ${span[0]}, ${span[1]}, 'UTC', 0, 0, 'published', 'manual', 0`)
}

describe('a template', () => {
  it('has its name as its id, and uses exactly the placeholders that it declares', async () => {
    const made = await ask('POST', 'templates', { name: 'outage', body: 'Hi {{firstName}}, {{server}} is down' })
    expect(made.body).toMatchObject({ placeholders: ['server'], encoding: 'GSM-7', segments: 1 })
    const problem = async (body: object) => (await ask('PATCH', 'templates/outage', body)).body.fields
    expect(await problem({ placeholders: ['server', 'time'] })).toEqual({ body: 'time is declared and not used' })
    expect(await problem({ body: '{{when}}', placeholders: [] })).toEqual({ body: '{{when}} is used and not declared' })
    expect((await ask('POST', 'templates', { name: 'outage', body: 'x' })).status).toBe(409)
    expect((await ask('PATCH', 'templates/outage', { body: 'x', version: 9 })).status).toBe(409)
    expect((await ask('GET', 'templates/nothing')).status).toBe(404)
  })
  it('needs a value for each placeholder', async () => {
    const body = { to: fresh(), templateName: 'outage' }
    expect((await ask('POST', 'messages', body)).body.fields).toEqual({ 'values.server': 'Required' })
    const ola = await someone('+4790000001')
    const { body: dry } = await ask('POST', 'messages/preview', {
      users: [ola.id],
      templateName: 'outage',
      values: { server: 'web-1' },
    })
    expect(dry.recipients[0].text).toBe('Hi Some, web-1 is down')
    const bare = await ask('POST', 'messages/preview', {
      to: fresh(),
      templateName: 'outage',
      values: { server: 'web-1' },
    })
    expect(bare.body).toMatchObject({ messages: 0, skipped: 1 })
  })
})

describe('a message', () => {
  it('is sent to Kannel with its alphabet, and reports change it from sent to delivered', async () => {
    const to = fresh()
    const batch = await send({ to, body: 'Zażółć gęślą jaźń' })
    expect(batch.counts.queued).toBe(1)
    await deliver(t.app)
    const { url } = gotBy(to)[0]!
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ username: 'ink', password: 'of-the-gateway', coding: '2', text: 'Zażółć gęślą jaźń', 'dlr-mask': '31' },
    })
    const [message] = await messagesOf(batch.id)
    expect(message).toMatchObject({ status: 'sent', encoding: 'UCS-2', segments: 1, attempts: 1 })
    const key = await keyOf()
    const report = async (status: string, answer = '') =>
      (await call('report', { key, id: String(message.id), status, answer })).body.status
    expect(await report('8')).toBe('sent')
    expect(await report('1')).toBe('delivered')
    expect(await report('2', 'stat:UNDELIV err:001')).toBe('delivered')
    expect((await call('report', { key: 'x'.repeat(32), id: String(message.id), status: '1' })).status).toBe(401)
  })
  it('is reported with the former key of the gateway, which answers nothing any more and is never shown', async () => {
    const batch = await send({})
    await deliver(t.app)
    const [{ id }] = await messagesOf(batch.id)
    const former = await keyOf()
    const { status, body } = await ask('POST', 'settings/key')
    const key = new URL(body.replyUrl, 'http://x').searchParams.get('key') ?? ''
    expect([status, key]).toEqual([201, expect.not.stringContaining(former)])
    const reply = (of: string) => call('reply', { key: of, from: '+4795000001', text: 'Hi' })
    expect([(await reply(former)).status, (await reply(key)).status]).toEqual([401, 200])
    const report = (of: string) => call('report', { key: of, id: String(id), status: '8' })
    expect([(await report(former)).status, (await report(key)).status]).toEqual([200, 200])
    await ask('POST', 'settings/key')
    expect((await report(former)).status).toBe(401)
    const shown = JSON.stringify([await setUp({}), (await ask('GET', 'settings')).body])
    for (const one of [former, key, await keyOf()]) expect(shown).not.toContain(one)
  })
  it('shows the reason as text if the operator rejects it', async () => {
    const batch = await send({})
    await deliver(t.app)
    const [{ id }] = await messagesOf(batch.id)
    await call('report', {
      key: await keyOf(),
      id: String(id),
      status: '16',
      answer: 'NACK/0x0000000b/Invalid Destination Address',
    })
    expect((await messagesOf(batch.id))[0]).toMatchObject({
      status: 'undelivered',
      reason: 'Rejected: the number does not exist (code 11)',
    })
    expect(readReport('2', 'id:1 stat:EXPIRED err:003').reason).toContain('off or out of reach')
    expect((await ask('POST', `messages/${id}/again`, {})).status).toBe(201)
  })
  it('is sent again while the gateway cannot accept it, and fails after the last attempt or a refusal', async () => {
    nextAnswer = { status: 503, text: 'Temporal failure, try again later.' }
    const [later, poor] = [await send({}), await send({})]
    for (let n = 0; n < 6; n++) {
      await deliver(t.app)
      await t.app.db.execute(sql`update sms_messages set not_before = now() where status = 'queued'`)
    }
    expect((await messagesOf(later.id))[0]).toMatchObject({ status: 'failed', attempts: 6, errorCode: 'given-up' })
    nextAnswer = { status: 400, text: 'Empty receiver number not allowed, rejected' }
    await ask('POST', `messages/${(await messagesOf(poor.id))[0].id}/again`, {})
    await deliver(t.app)
    const [{ items }] = [(await ask('GET', 'messages?status=failed')).body]
    expect(items[0]).toMatchObject({
      attempts: 1,
      reason: 'Kannel refuses: Empty receiver number not allowed, rejected',
    })
    nextAnswer = { status: 202, text: 'ok' }
  })
  it('waits without counting attempts while the gateway accepts nothing', async () => {
    nextAnswer = { status: 503, text: 'Temporal failure, try again later.' }
    const batch = await send({ to: Array.from({ length: 60 }, fresh) })
    await deliver(t.app)
    const tried = (await messagesOf(batch.id)).filter(({ attempts }: { attempts: number }) => attempts > 0)
    expect(tried.length).toBeLessThan(40)
    await t.app.db.execute(sql`update sms_messages set not_before = now() where status = 'queued'`)
    nextAnswer = { status: 202, text: 'ok' }
    await deliver(t.app)
    expect((await ask('GET', 'batches')).body.items[0].counts).toMatchObject({ queued: 0, sent: 60 })
  })
  it('is marked if its report is missing, and sent again on request', async () => {
    const batches = [await send({}), await send({})]
    await deliver(t.app)
    const [silent, accepted] = await Promise.all(batches.map(async ({ id }) => (await messagesOf(id))[0].id))
    await call('report', { key: await keyOf(), id: String(accepted), status: '8', providerId: '17' })
    const after = async (time: string) => {
      await t.app.db.execute(
        sql`update sms_messages set sent_at = now() - ${time}::interval where sms_message_id in (${silent}, ${accepted})`,
      )
      await nameMissing(t.app)
      const { items } = (await ask('GET', 'messages?report=missing')).body
      return items.map(({ id }: { id: number }) => id)
    }
    expect((await ask('POST', `messages/${silent}/again`, {})).status).toBe(422)
    expect(await after('20 minutes')).toEqual([silent])
    expect((await ask('POST', `messages/${silent}/again`, {})).status).toBe(201)
    expect(await after('25 hours')).toEqual([accepted, silent])
    await call('report', { key: await keyOf(), id: String(accepted), status: '1' })
    expect(await after('25 hours')).toEqual([silent])
  })
  it('is never repeated to Kannel if the answer was lost; a late report corrects its status', async () => {
    nextAnswer = 'drop'
    const to = fresh()
    const batch = await send({ to })
    await deliver(t.app)
    await deliver(t.app)
    nextAnswer = { status: 202, text: 'ok' }
    await deliver(t.app)
    expect(gotBy(to)).toHaveLength(1)
    const [message] = await messagesOf(batch.id)
    expect(message).toMatchObject({ status: 'failed', errorCode: 'unknown' })
    await call('report', { key: await keyOf(), id: String(message.id), status: '1' })
    expect((await messagesOf(batch.id))[0]).toMatchObject({ status: 'delivered', reason: null })
  })
  it('is never sent by another process if its process was killed between claim and record', async () => {
    const to = fresh()
    const batch = await send({ to })
    const claimed = (age: string) =>
      t.app.db.execute(
        sql`update sms_messages set claimed_at = now() - ${age}::interval, attempts = 1 where sms_batch_id = ${batch.id}`,
      )
    await claimed('5 seconds')
    await deliver(t.app)
    expect((await messagesOf(batch.id))[0].status).toBe('queued')
    await claimed('2 minutes')
    await deliver(t.app)
    expect(gotBy(to)).toHaveLength(0)
    const [message] = await messagesOf(batch.id)
    expect(message).toMatchObject({
      status: 'failed',
      errorCode: 'unknown',
      reason: expect.stringContaining('may have sent it'),
    })
    await call('report', { key: await keyOf(), id: String(message.id), status: '8' })
    expect((await messagesOf(batch.id))[0].status).toBe('sent')
  })
  it('is stored once per request key', async () => {
    const body = { to: fresh(), body: 'Once', requestKey: 'a-double-click' }
    const [one, two] = await Promise.all([ask('POST', 'messages', body), ask('POST', 'messages', body)])
    expect(two.body.id).toBe(one.body.id)
    expect(await messagesOf(one.body.id)).toHaveLength(1)
  })
  it('goes to the present number of a person, and to nobody after an opt-out or a deletion of the account', async () => {
    const [moved, gone, quiet] = [
      await someone('+4791000001'),
      await someone('+4791000002'),
      await someone('+4791000003'),
    ]
    const batch = await send({ to: undefined, users: [moved.id, gone.id, quiet.id] })
    await t.app.db.execute(sql`update profiles set phone = '+4791000009' where user_id = ${moved.id}`)
    await t.app.db.execute(sql`update users set deleted_at = now() where user_id = ${gone.id}`)
    expect((await call('reply', { key: await keyOf(), from: '4791000003', text: 'Stop' })).body.effect).toBe(
      'opted-out',
    )
    await deliver(t.app)
    expect(
      (await messagesOf(batch.id)).map(({ to, status }: { to: string; status: string }) => [to, status]).sort(),
    ).toEqual([
      ['+4791000002', 'cancelled'],
      ['+4791000003', 'cancelled'],
      ['+4791000009', 'sent'],
    ])
  })
  it('shows the whole number of a colleague only to those who see profiles', async () => {
    const ida = await someone('+4792345678')
    const reader = await t.somebody(['sms:message:read'])
    const { id } = await send({ to: undefined, users: [ida.id] })
    const { body } = await ask('GET', `messages?batchId=${id}`, undefined, reader.token)
    expect(body.items[0].to).toBe('········678')
    expect((await ask('GET', 'messages?search=92345', undefined, reader.token)).body.total).toBe(0)
    expect((await ask('GET', 'messages?search=92345')).body.total).toBe(1)
  })
})

describe('recipients', () => {
  it('each get one message, and those without one are listed with the reason', async () => {
    const [none, local] = [await someone(null), await someone('40 00 00 01')]
    const to = fresh()
    const { body } = await ask('POST', 'messages/preview', {
      to: [to, to.replace('+', '00')],
      users: [none.id, local.id],
      body: 'x',
    })
    expect(body).toMatchObject({ messages: 1, skipped: 2, segments: 1 })
    await setUp({ countryCode: '+47', price: 0.05 })
    const again = await ask('POST', 'messages/preview', { to, users: [none.id, local.id], body: 'x' })
    expect(again.body).toMatchObject({ messages: 2, skipped: 1, cost: 0.1 })
    expect((await ask('POST', 'messages', { users: [none.id], body: 'x' })).status).toBe(422)
    expect((await ask('POST', 'messages', { to: '12', body: 'x' })).status).toBe(400)
  })
  it('get no more than the limit of a day', async () => {
    await setUp({ perDay: 2 })
    const to = fresh()
    for (const status of [201, 201, 422]) expect((await ask('POST', 'messages', { to, body: 'x' })).status).toBe(status)
    await setUp({ perDay: 1000 })
  })
  it('are refused for a past time, by the dry run and by the send', async () => {
    for (const path of ['messages/preview', 'messages']) {
      const { status, body } = await ask('POST', path, {
        to: ['+4799000099'],
        body: 'x',
        sendAt: '2020-01-01T23:00:00Z',
      })
      expect([status, body.fields]).toEqual([422, { sendAt: 'Choose a future time' }])
    }
  })
  it('on shift are found when a scheduled message is sent', async () => {
    const [early, late] = [await someone('+4793000001'), await someone('+4793000002')]
    await works(early.id)
    const batch = await send({ to: undefined, shifts: [0], sendAt: '2999-01-01T00:00:00Z' })
    expect(batch).toMatchObject({ expandedAt: null, counts: { queued: 0 } })
    await t.app.db.execute(sql`update shifts set user_id = ${late.id} where user_id = ${early.id}`)
    await t.app.db.execute(sql`update sms_batches set send_at = now() where sms_batch_id = ${batch.id}`)
    await Promise.all([expandDue(t.app), expandDue(t.app)])
    expect((await messagesOf(batch.id)).map(({ userId }: { userId: number }) => userId)).toEqual([late.id])
    await t.app.db.execute(sql`update shifts set deleted_at = now()`)
  })
  it('get messages only after the quiet hours of their own time zone', async () => {
    const rule = { ...(await readSettings(t.app.db)), quietFrom: '22:00', quietTo: '07:00', timeZone: 'Europe/Oslo' }
    expect(endOfQuiet(new Date('2026-11-23T23:30:00Z'), rule, null)).toBe('2026-11-24T06:00:00.000Z')
    expect(endOfQuiet(new Date('2026-11-23T12:00:00Z'), rule, null)).toBeUndefined()
    expect(endOfQuiet(new Date('2026-11-23T12:00:00Z'), rule, 'Asia/Tokyo')).toBeUndefined()
    expect(endOfQuiet(new Date('2026-11-23T14:00:00Z'), rule, 'Asia/Tokyo')).toBe('2026-11-23T22:00:00.000Z')
    // in the nights of clock changes, quiet hours end at seven by the new time; the skipped 02:30 becomes an hour later
    expect(endOfQuiet(new Date('2026-03-28T23:00:00Z'), rule, null)).toBe('2026-03-29T05:00:00.000Z')
    expect(endOfQuiet(new Date('2026-10-24T23:00:00Z'), rule, null)).toBe('2026-10-25T06:00:00.000Z')
    const short = { ...rule, quietTo: '02:30' }
    expect(endOfQuiet(new Date('2026-03-29T00:45:00Z'), short, null)).toBe('2026-03-29T01:30:00.000Z')
    expect(endOfQuiet(new Date('2026-10-25T00:10:00Z'), short, null)).toBe('2026-10-25T00:30:00.000Z')
  })
})

describe('an alert', () => {
  it('reaches people on shift once, and is acknowledged by an answer', async () => {
    const [anna, nils, boss] = [
      await someone('+4794000001'),
      await someone('+4794000002'),
      await someone('+4794000003'),
    ]
    await works(anna.id)
    await works(nils.id)
    await setUp({ alertReasons: ['server'], alertLevel: 'error', fallbackIds: [boss.id], escalateMinutes: 10 })
    const tell = { to: [anna.id, boss.id], reason: 'server' as const, title: 'web-1 is offline', body: 'Since 10:00' }
    await t.app.db.transaction((tx) => notify(tx, { ...tell, level: 'error' }))
    await t.app.db.transaction((tx) => notify(tx, { ...tell, level: 'info', title: 'quiet' }))
    await Promise.all([raiseAlerts(t.app), raiseAlerts(t.app)])
    await raiseAlerts(t.app)
    const { items } = (await ask('GET', 'batches?kind=alert')).body
    expect(items).toHaveLength(1)
    const [{ id, body }] = items
    expect(body).toBe(`web-1 is offline: Since 10:00\nAnswer OK ${id}`)
    expect((await messagesOf(id)).map(({ userId }: { userId: number }) => userId).sort()).toEqual(
      [anna.id, nils.id].sort(),
    )
    await deliver(t.app)
    await t.app.db.execute(
      sql`update sms_batches set created_at = now() - interval '11 minutes' where sms_batch_id = ${id}`,
    )
    await raiseAlerts(t.app)
    await raiseAlerts(t.app)
    expect((await messagesOf(id)).filter(({ userId }: { userId: number }) => userId === boss.id)).toHaveLength(1)
    const key = await keyOf()
    expect((await call('reply', { key, from: '+4794000002', text: 'what?', ref: 'r1' })).body.effect).toBe('none')
    expect((await call('reply', { key, from: '+4794000002', text: `ok ${id}`, ref: 'r2' })).body.effect).toBe(
      'acknowledged',
    )
    expect((await call('reply', { key, from: '+4794000002', text: `ok ${id}`, ref: 'r2' })).body.effect).toBe(
      'acknowledged',
    )
    expect((await call('reply', { key, from: '+4794000001', text: 'OK', ref: 'r3' })).body.effect).toBe('none')
    expect((await ask('GET', 'batches?kind=alert')).body.items[0].acknowledgedBy).toMatch(/^Some /)
    await t.app.db.execute(sql`update shifts set deleted_at = now()`)
  })
  it('is reported to people who manage the gateway if it reaches nobody', async () => {
    const chief = await t.somebody(['sms:settings:update'])
    await setUp({ fallbackIds: [], alertReasons: ['server'] })
    const tell = {
      to: [chief.id],
      reason: 'server' as const,
      level: 'error' as const,
      title: 'db-1 is offline',
      body: '',
    }
    await t.app.db.transaction((tx) => notify(tx, tell))
    await raiseAlerts(t.app)
    const { body } = await t.call('GET', '/api/employee-controller/notifications?reason=sms', { token: chief.token })
    expect(body.items[0].title).toBe('An alert reached nobody')
  })
})

describe('the gateway', () => {
  it('gets its password only at the address for which it was entered', async () => {
    const moved = await ask('PATCH', 'settings', { url: 'http://elsewhere.example' })
    expect(moved.body.fields).toEqual({ secret: 'Required with another address' })
    expect(JSON.stringify((await ask('GET', 'settings')).body)).not.toContain('of-the-gateway')
    const stored = await rows(t.app.db, sql`select * from action_logs`)
    expect(JSON.stringify(stored)).not.toContain('of-the-gateway')
  })
  it('of the documented kind gets a lost message again with the same key', async () => {
    await setUp({ gateway: 'http', url: gateway.url, secret: 'token-2' })
    nextAnswer = 'drop'
    const to = fresh()
    const batch = await send({ to })
    await deliver(t.app)
    nextAnswer = { status: 200, text: '{"id":"g-77"}' }
    await t.app.db.execute(sql`update sms_messages set not_before = now() where status = 'queued'`)
    await deliver(t.app)
    const [first, second] = gateway.got.filter(({ body }) => body.includes(to))
    expect(first?.headers['idempotency-key']).toBe(second?.headers['idempotency-key'])
    expect(second?.headers.authorization).toBe(`Basic ${Buffer.from('ink:token-2').toString('base64')}`)
    expect((await messagesOf(batch.id))[0]).toMatchObject({ status: 'sent', providerId: 'g-77', attempts: 2 })
  })
})
