import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notify } from '../../access/notifications/notify.ts'
import { profiles } from '../../access/profiles/tables.ts'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { raiseAlerts } from './alerts/raise.ts'
import { deliver } from './sending/deliver.ts'
import { callbackKey } from './settings.ts'
import { openGateway } from './test/gateway.ts'

let t: TestApp
let gateway: Awaited<ReturnType<typeof openGateway>>
let key = ''
let admin = ''
let ask: (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => ReturnType<TestApp['call']>
beforeAll(async () => {
  t = await openTestApp()
  gateway = await openGateway(() => ({ status: 202, text: '0: Accepted for delivery' }))
  const { token } = await t.somebody('admin')
  admin = token
  ask = (method, path, body) => t.call(method, `/api/sms/${path}`, { token, ...(body && { body }) })
  await ask('PATCH', 'settings', {
    gateway: 'kannel',
    url: gateway.url,
    username: 'ink',
    secret: 's',
    sender: 'Fjellhost',
  })
  key = await callbackKey(t.app, t.app.db)
})
afterAll(async () => {
  await gateway.close()
  await t.close()
})

/** What an answer from this number does, as the gateway gets it. */
const from = (number: string) => async (text: string, ref?: string) => {
  const query = new URLSearchParams({ key, from: number, text, ...(ref && { ref }) })
  return (await t.call('GET', `/api/sms/callbacks/reply?${query}`)).body.effect
}

describe('an answer that a gateway repeats without a reference', () => {
  it('ends one alert only', async () => {
    const { id } = await t.somebody([])
    await t.app.db.insert(profiles).values({ id, phone: '+4794000011' })
    await ask('PATCH', 'settings', { alertReasons: ['server'], fallbackIds: [id], alertLevel: 'error' })
    const raise = async (title: string) => {
      const tell = { to: [id], reason: 'server' as const, level: 'error' as const, title, body: '' }
      await t.app.db.transaction((tx) => notify(tx, tell))
      await raiseAlerts(t.app)
      await deliver(t.app)
    }
    const says = from('+4794000011')
    await raise('first')
    expect(await Promise.all([says('ok'), says('ok')])).toEqual(['acknowledged', 'acknowledged'])
    await raise('second')
    expect(await says('ok')).toBe('acknowledged') // repeated: the effect of the first time
    const [open] = (await ask('GET', 'batches?kind=alert')).body.items
    expect(open).toMatchObject({ body: expect.stringContaining('second'), acknowledgedAt: null })
    expect(await says(`ok ${open.id}`)).toBe('acknowledged')
    const heard = await rows(t.app.db, sql`select 1 from sms_replies where number = '+4794000011'`)
    expect(heard).toHaveLength(2)
  })
  it('opts nobody in again, while a late STOP holds', async () => {
    const says = from('+4794000012')
    for (const text of ['STOP', 'START', 'STOP', 'START']) await says(text)
    expect((await ask('GET', 'opt-outs?search=94000012')).body.total).toBe(1)
  })
})

it('an OK of a person who has left, or whose number is another person’s by now, takes care of no alert', async () => {
  const number = '+4794000015'
  const leaver = await t.somebody([])
  const next = await t.somebody([])
  await t.app.db.insert(profiles).values({ id: leaver.id, phone: number })
  await ask('PATCH', 'settings', { alertReasons: ['server'], fallbackIds: [leaver.id], alertLevel: 'error' })
  const tell = { to: [leaver.id], reason: 'server' as const, level: 'error' as const, title: 'left', body: '' }
  await t.app.db.transaction((tx) => notify(tx, tell))
  await raiseAlerts(t.app)
  await deliver(t.app)
  const [open] = (await ask('GET', 'batches?kind=alert')).body.items
  await t.call('DELETE', '/api/auth/users', { token: admin, body: { id: leaver.id } })
  expect(await from(number)(`ok ${open.id}`, '1')).toBe('none')
  await t.app.db.execute(sql`insert into sms_messages (sms_batch_id, kind, number, user_id, body, encoding, segments, status, key)
    select sms_batch_id, kind, ${number}, ${next.id}, body, encoding, segments, 'sent', 'next' from sms_messages
    where sms_batch_id <> ${open.id} limit 1`)
  expect(await from(number)(`ok ${open.id}`, '2')).toBe('none')
  expect((await ask('GET', 'batches?kind=alert')).body.items[0]).toMatchObject({ id: open.id, acknowledgedAt: null })
})

it('an answer whose reference was used before is heard, because gateways begin their numbers anew', async () => {
  const says = from('+4794000013')
  expect(await says('STOP', '7')).toBe('opted-out')
  expect(await says('START', '7')).toBe('opted-in')
  expect(await says('STOP', '7')).toBe('opted-out') // the first one once more
  expect((await ask('GET', 'opt-outs?search=94000013')).body.total).toBe(0)
})

it('a STOP holds in a text of any length, as of a gateway that adds parameters of its own', async () => {
  const query = new URLSearchParams({
    key,
    from: '+4794000014',
    text: `STOP ${'x'.repeat(5000)}`,
    to: '2077',
    coding: '0',
  })
  const { status, body } = await t.call('GET', `/api/sms/callbacks/reply?${query}`)
  expect([status, body.effect]).toEqual([200, 'opted-out'])
})

it('a report is taken with whatever the operator says', async () => {
  const [sent] = (await ask('GET', 'messages?search=94000011')).body.items
  const query = new URLSearchParams({
    key,
    id: sent.id,
    status: '2',
    answer: 'x'.repeat(5000),
    providerId: 'y'.repeat(500),
  })
  const { status, body } = await t.call('GET', `/api/sms/callbacks/report?${query}`)
  expect([status, body.status]).toEqual([200, 'undelivered'])
})

it('reports and answers that are replayed later change nothing', async () => {
  const number = '+4794000016'
  const { id: batchId } = (await ask('POST', 'messages', { to: number, body: 'Hello' })).body
  await deliver(t.app)
  const messages = async () => (await ask('GET', `messages?batchId=${batchId}`)).body.items
  const [{ id }] = await messages()
  const report = async (status: string, of = key) => {
    const query = new URLSearchParams({ key: of, id, status, answer: 'id:1 stat:UNDELIV err:011', providerId: '17' })
    return (await t.call('GET', `/api/sms/callbacks/report?${query}`)).status
  }
  const steps = ['8', '2', '1']
  for (const step of steps) expect(await report(step)).toBe(200)
  const [arrived] = await messages()
  expect(arrived).toMatchObject({ status: 'delivered', reason: null })
  await Promise.all([...steps, ...steps, '16', '4'].map((step) => report(step)))
  expect((await messages())[0]).toMatchObject({ status: 'delivered', reason: null, endedAt: arrived.endedAt })
  expect(await report('2', `${key.slice(0, -1)}x`)).toBe(401)
  const says = from(number)
  await Promise.all(Array.from({ length: 10 }, () => says('START', 'r-1')))
  await says('STOP', 'r-2')
  await Promise.all(Array.from({ length: 10 }, () => says('START', 'r-1')))
  expect((await ask('GET', 'opt-outs?search=94000016')).body.total).toBe(1)
  expect(await rows(t.app.db, sql`select 1 from sms_replies where number = ${number}`)).toHaveLength(2)
})
