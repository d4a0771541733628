import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { type GatewayAnswer, openGateway } from '../test/gateway.ts'
import { deliver } from './deliver.ts'

/** Refusals that concern our account, and the order of the queue. */
let t: TestApp
let gateway: Awaited<ReturnType<typeof openGateway>>
let admin: string
let nextAnswer: GatewayAnswer = { status: 202, text: 'ok' }
let last = 0

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

const ask = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
  t.call(method, `/api/sms/${path}`, { token: admin, ...(body !== undefined && { body }) })
const setUp = async (body: object) => (await ask('PATCH', 'settings', body)).body
const fresh = () => `+4799${String(100_000 + ++last)}`
const send = async (body: object) => (await ask('POST', 'messages', { to: fresh(), body: 'Hello', ...body })).body
const messagesOf = async (batchId: number) => (await ask('GET', `messages?batchId=${batchId}`)).body.items

it.each([
  [403, 'Authorization failed for sendsms'],
  [404, 'Unknown request.'],
  [410, 'This address has moved'],
  [415, 'Form data only'],
  [426, 'TLS only'],
  [302, ''],
  [400, 'Sender missing and no global set, rejected'],
])('all messages wait while the gateway refuses our account with %i, with one notification', async (status, text) => {
  const [judge, other] = [await t.somebody(['sms:settings:update']), await t.somebody([])]
  nextAnswer = { status, text }
  const batches = [await send({}), await send({}), await send({ urgent: true })]
  const before = gateway.got.length
  const states = async () =>
    (await Promise.all(batches.map(({ id }) => messagesOf(id)))).flat().map((one: { status: string }) => one.status)
  await deliver(t.app)
  await deliver(t.app)
  expect(gateway.got.length - before).toBeLessThanOrEqual(3) // the second round waits a minute
  expect(await states()).toEqual(['queued', 'queued', 'queued'])
  const due = async () => {
    await t.app.db.execute(sql`update sms_troubles set tried_at = now() - interval '2 minutes'`)
    await t.app.db.execute(sql`update sms_messages set not_before = now() - interval '1 second'`)
  }
  for (let n = 0; n < 8; n++) {
    await due()
    await deliver(t.app)
  }
  expect(await states()).toEqual(['queued', 'queued', 'queued'])
  expect((await ask('GET', 'settings')).body.trouble.reason).toContain(String(status))
  const told = async (of: { id: number }) =>
    (
      await rows<{ title: string }>(t.app.db, sql`select title from notifications where user_id = ${of.id} order by 1`)
    ).map(({ title }) => title)
  expect(await told(judge)).toEqual(['The SMS gateway refuses Innkeeper'])
  nextAnswer = { status: 202, text: 'ok' }
  await t.app.db.execute(sql`update sms_messages set not_before = now() - interval '1 second'`)
  await setUp({ secret: 'of-the-gateway' }) // a change of the settings is tried at once
  await deliver(t.app)
  await deliver(t.app)
  expect(await states()).toEqual(['sent', 'sent', 'sent'])
  expect((await ask('GET', 'settings')).body.trouble).toBeNull()
  expect(await told(judge)).toEqual(['The SMS gateway refuses Innkeeper', 'The SMS gateway takes messages again'])
  expect(await told(other)).toEqual([])
})
it('fails a message alone whose number Kannel’s lists deny', async () => {
  nextAnswer = { status: 403, text: 'Number(s) has/have been denied by white- and/or black-lists.' }
  const { id } = await send({})
  await deliver(t.app)
  nextAnswer = { status: 202, text: 'ok' }
  expect((await messagesOf(id))[0].status).toBe('failed')
})
it('sends urgent messages before others', async () => {
  const to = Array.from({ length: 40 }, fresh)
  await send({ to })
  const urgent = fresh()
  await send({ to: urgent, urgent: true })
  const before = gateway.got.length
  await deliver(t.app)
  const order = gateway.got.slice(before).map(({ url }) => url.searchParams.get('to'))
  expect(order).toHaveLength(41)
  expect(order.indexOf(urgent)).toBeLessThan(16) // as many are submitted at once
})
