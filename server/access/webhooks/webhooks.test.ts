import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { BACKOFF, deliverDue } from './sending.ts'
import { takeOver } from './takeOver.ts'

let t: TestApp
let admin: string
const closing: (() => void)[] = []
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
})
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  await t.app.db.execute(sql`update webhooks set deleted_at = now()`)
  await t.app.db.execute(sql`delete from announced_changes`)
})
afterAll(() => t.close())

interface Heard {
  headers: IncomingMessage['headers']
  body: string
}
/** A receiver; `answer` says how it answers, 204 by default. */
async function receiver(answer: RequestListener = (_, response) => void response.writeHead(204).end()) {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
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
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, heard }
}
async function hook(url: string, more: object = {}, token = admin): Promise<{ id: number; secret: string }> {
  const { status, body } = await t.call('POST', '/api/webhooks', { token, body: { name: 'builds', url, ...more } })
  expect(status, JSON.stringify(body)).toBe(201)
  return { id: body.webhook.id, secret: body.secret }
}
/** One round of the worker, up to the end of what it sends. */
async function round(): Promise<void> {
  await takeOver(t.app)
  await Promise.all(await deliverDue(t.app))
}
const department = async (name: string) =>
  (await t.call('POST', '/api/auth/departments', { token: admin, body: { name } })).body.id as number
const deliveries = async (id: number, query = '') =>
  (await t.call('GET', `/api/webhooks/${id}/deliveries${query}`, { token: admin })).body.items
const one = async (id: number) => (await t.call('GET', `/api/webhooks/${id}`, { token: admin })).body
const attempts = async (id: number) => {
  const [first] = await deliveries(id)
  return (await t.call('GET', `/api/webhooks/${id}/deliveries/${first.id}`, { token: admin })).body
}
const due = () => t.app.db.execute(sql`update webhook_deliveries set next_at = now() where state = 'waiting'`)

/** As a receiver verifies a message: the example of docs/api.md. */
function isGenuine({ headers, body }: Heard, secret: string): boolean {
  const signature = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64')
  return String(headers['webhook-signature']).split(' ').includes(`v1,${signature}`)
}

describe('a webhook', () => {
  it('tells of a change by kind and id, signed, and of no words', async () => {
    const { url, heard } = await receiver()
    const { id, secret } = await hook(url, { domains: ['departments'] })
    const made = await department('Spoken secret')
    await round()
    expect(heard).toHaveLength(1)
    expect(JSON.parse(heard[0]!.body)).toEqual({
      type: 'departments.changed',
      timestamp: expect.stringMatching(/Z$/),
      data: { kind: 'departments', id: made, path: `/api/auth/departments/${made}` },
    })
    expect(isGenuine(heard[0]!, secret)).toBe(true)
    expect(isGenuine({ ...heard[0]!, body: heard[0]!.body.replace('departments', 'x') }, secret)).toBe(false)
    expect(await deliveries(id)).toMatchObject([{ state: 'delivered', status: 204, attempts: 1, objectId: made }])
    await round()
    expect(heard).toHaveLength(1)
  })

  it('is not told of a change that was rolled back, nor of kinds that it did not choose', async () => {
    const { url, heard } = await receiver()
    await hook(url, { domains: ['departments'] })
    await t.app.db
      .transaction(async (tx) => {
        await changed(tx, 'departments', 77)
        throw new Error('undone')
      })
      .catch(() => {})
    await changed(t.app.db, 'roles', 1)
    await round()
    expect(heard).toEqual([])
  })

  it('is told only of what its owner may read, also after the message began to wait', async () => {
    const { url, heard } = await receiver()
    const owner = await t.somebody(['api:webhook:create', 'api:webhook:read', 'users:department:read'])
    const { id } = await hook(url, {}, owner.token)
    await changed(t.app.db, 'departments', 5)
    await changed(t.app.db, 'roles', 6)
    await round()
    expect(heard.map(({ body }) => JSON.parse(body).type)).toEqual(['departments.changed'])
    await changed(t.app.db, 'departments', 7)
    await takeOver(t.app)
    await t.app.db.execute(sql`update users set role_id = null where user_id = ${owner.id}`)
    await round()
    expect(heard).toHaveLength(1)
    expect(await deliveries(id, '?state=dropped')).toHaveLength(1)
  })

  it('names no row of a kind of which its owner may see some rows only', async () => {
    const { url, heard } = await receiver()
    const owner = await t.somebody(['api:webhook:create', 'api:webhook:read', 'qa:chat:read'])
    await hook(url, {}, owner.token)
    for (const id of [5, 6]) await changed(t.app.db, 'qc', id)
    await round()
    expect(heard.map(({ body }) => JSON.parse(body).data)).toEqual([{ kind: 'qc' }])
  })

  it('is told of chosen objects, and of objects of chosen departments', async () => {
    const { url, heard } = await receiver()
    const [north, south] = [await department('North'), await department('South')]
    const people = [await t.somebody([]), await t.somebody([])]
    for (const [n, { id }] of people.entries())
      await t.app.db.execute(sql`update users set department_id = ${n ? south : north} where user_id = ${id}`)
    await t.app.db.execute(sql`delete from announced_changes`)
    await hook(url, { domains: ['departments'], objects: [north] })
    await hook(url, { domains: ['users', 'departments'], departments: [south] })
    for (const { id } of people) await changed(t.app.db, 'users', id)
    for (const id of [north, south]) await changed(t.app.db, 'departments', id)
    await changed(t.app.db, 'users', 999_999)
    await changed(t.app.db, 'users')
    await round()
    const told = heard.map(({ body }) => JSON.parse(body)).map(({ type, data }) => `${type} ${data.id ?? 'any'}`)
    expect(told.sort()).toEqual(
      [
        ...[`departments.changed ${north}`, `departments.changed ${south}`, `users.changed ${people[1]!.id}`],
        ...['users.changed 999999', 'users.changed any'], // gone, and unknown: the receiver reads and decides
      ].sort(),
    )
  })

  it.each([
    ['objects of two kinds', { domains: ['departments', 'roles'], objects: [1] }, 'objects'],
    ['an object that is gone', { domains: ['departments'], objects: [999_999] }, 'objects'],
    ['objects of a kind without pages', { domains: ['log'], objects: [1] }, 'objects'],
    ['departments of a kind that has none', { domains: ['ssl'], departments: [1] }, 'departments'],
    ['departments of all kinds', { departments: [1] }, 'departments'],
    ['a department that is gone', { domains: ['dns'], departments: [999_999] }, 'departments'],
  ])('refuses %s beside the field', async (_, wish, field) => {
    const body = { name: 'never', url: 'https://93.184.215.14/', ...wish }
    expect(await t.call('POST', '/api/webhooks', { token: admin, body })).toMatchObject({
      status: 422,
      body: { fields: { [field]: expect.any(String) } },
    })
  })

  it('leads to no messages about its own messages', async () => {
    const { url, heard } = await receiver()
    await hook(url)
    await department('Loop')
    for (let n = 0; n < 4; n++) await round()
    expect(heard).toHaveLength(1)
  })

  it('gets one message for many changes of an object, and never two at once', async () => {
    const gate = Promise.withResolvers<void>()
    const { url, heard } = await receiver((_, response) => void gate.promise.then(() => response.writeHead(200).end()))
    const { id } = await hook(url)
    for (let n = 0; n < 5; n++) await changed(t.app.db, 'departments', 9)
    await takeOver(t.app)
    const first = await deliverDue(t.app)
    await changed(t.app.db, 'departments', 9)
    await takeOver(t.app)
    expect(await deliverDue(t.app)).toEqual([]) // the same object is being sent
    gate.resolve()
    await Promise.all(first)
    await round()
    expect(heard).toHaveLength(2)
    expect((await deliveries(id)).map(({ state }: { state: string }) => state)).toEqual(['delivered', 'delivered'])
  })

  it.each<[string, RequestListener, object]>([
    ['500', (_, response) => void response.writeHead(500).end('broken <b>'), { status: 500, body: 'broken <b>' }],
    ['a dropped connection', (request) => void request.socket.destroy(), { status: null, error: expect.any(String) }],
    [
      'a redirect',
      (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      { status: 302 },
    ],
    [
      'a huge answer',
      (_, response) => void response.writeHead(500).end('x'.repeat(5_000_000)),
      { status: 500, body: 'x'.repeat(2000) },
    ],
  ])('is tried again after %s, with the same id', async (_, answer, seen) => {
    const { url, heard } = await receiver(answer)
    const { id } = await hook(url)
    await changed(t.app.db, 'departments', 3)
    await round()
    await round()
    expect(heard).toHaveLength(1) // the second attempt is not due yet
    await due()
    await round()
    expect(heard).toHaveLength(2)
    expect(heard[0]!.headers['webhook-id']).toBe(heard[1]!.headers['webhook-id'])
    expect((await attempts(id)).attempts).toMatchObject([seen, seen])
    expect(await one(id)).toMatchObject({ waiting: 1, failingSince: expect.any(String) })
  })

  it('fails after a day, its owner hears of it once, and a message can be sent again', async () => {
    let isUp = false
    const { url, heard } = await receiver((_, response) => void response.writeHead(isUp ? 200 : 503).end())
    const owner = await t.somebody([
      'api:webhook:create',
      'users:department:read',
      'api:webhook:read',
      'api:webhook:update',
    ])
    const { id } = await hook(url, {}, owner.token)
    for (const object of [1, 2]) await changed(t.app.db, 'departments', object)
    for (let n = 0; n <= BACKOFF.length; n++) {
      await round()
      await due()
    }
    expect(heard).toHaveLength(2 * (BACKOFF.length + 1))
    expect(await one(id)).toMatchObject({ failed: 2, waiting: 0 })
    const { body } = await t.call('GET', '/api/employee-controller/notifications', { token: owner.token })
    expect(
      body.items.filter(({ title }: { title: string }) => title === 'The webhook builds does not work'),
    ).toHaveLength(1)
    isUp = true
    const [message] = await deliveries(id)
    const again = await t.call('POST', `/api/webhooks/${id}/deliveries/${message.id}/resend`, { token: owner.token })
    expect(again).toMatchObject({ status: 202, body: { state: 'waiting', attempts: 0 } })
    await round()
    expect(await one(id)).toMatchObject({ failed: 1, failingSince: null, lastDeliveredAt: expect.any(String) })
    expect(BACKOFF.reduce((sum, n) => sum + n)).toBeGreaterThan(23 * 3600)
  })

  it('whose answer quotes a customer leaves no word of the answer once the customer is erased', async () => {
    const words = 'Planted-Customer-Words'
    const { url } = await receiver((_, response) => void response.writeHead(500).end(`cannot store ${words}`))
    const { id } = await hook(url)
    await department('Planted')
    await round()
    expect((await attempts(id)).attempts).toMatchObject([{ status: 500, body: `cannot store ${words}` }])
    const erase = (isDryRun: boolean) =>
      t.call('POST', '/api/qa-controller-v2/customers/erase', {
        token: admin,
        body: { email: 'a@b.example', isDryRun },
      })
    const place = { place: 'Answers of receivers of webhooks', rows: expect.any(Number) }
    expect((await erase(true)).body.places).toContainEqual(place)
    expect((await erase(false)).body.places).toContainEqual(place)
    expect((await attempts(id)).attempts).toMatchObject([{ status: 500, body: null }])
  })
  it('that is slow holds up no other', async () => {
    const slow = await receiver(() => undefined)
    const quick = await receiver()
    await hook(slow.url)
    await hook(quick.url)
    for (let n = 1; n <= 20; n++) await changed(t.app.db, 'departments', n)
    await takeOver(t.app)
    const sending = [...(await deliverDue(t.app))]
    await expect
      .poll(async () => {
        sending.push(...(await deliverDue(t.app)))
        return quick.heard.length
      })
      .toBe(20)
    expect(slow.heard.length).toBeLessThanOrEqual(4)
    for (const close of closing.splice(0)) close()
    await Promise.all(sending)
  })

  it('sends nothing while it is paused, everything afterwards, and 410 pauses it', async () => {
    let status = 200
    const { url, heard } = await receiver((_, response) => void response.writeHead(status).end())
    const { id } = await hook(url)
    const set = (state: string) => t.call('PATCH', `/api/webhooks/${id}`, { token: admin, body: { state } })
    await set('paused')
    await changed(t.app.db, 'departments', 1)
    await round()
    expect(heard).toEqual([])
    await set('active')
    await round()
    expect(heard).toHaveLength(1)
    status = 410
    await changed(t.app.db, 'departments', 2)
    await round()
    expect(await one(id)).toMatchObject({ state: 'paused', waiting: 1, pausedBecause: expect.stringContaining('410') })
  })

  it('whose secret is lost is paused once, however many messages find that, and none counts as sent', async () => {
    const { url, heard } = await receiver()
    const owner = await t.somebody(['api:webhook:create', 'api:webhook:read', 'users:department:read'])
    const { id } = await hook(url, {}, owner.token)
    await t.app.secrets.remove(t.app.db, `webhook ${id}`)
    for (const object of [1, 2, 3]) await changed(t.app.db, 'departments', object)
    await round()
    expect(heard).toEqual([])
    expect(await one(id)).toMatchObject({
      state: 'paused',
      waiting: 3,
      pausedBecause: expect.stringContaining('secret'),
    })
    expect((await deliveries(id)).map(({ attempts: n }: { attempts: number }) => n)).toEqual([0, 0, 0])
    const { body } = await t.call('GET', '/api/employee-controller/notifications', { token: owner.token })
    const titles = body.items.map(({ title }: { title: string }) => title)
    expect(titles.filter((title: string) => title === 'The webhook builds does not work')).toHaveLength(1)
  })

  it('is signed with both secrets for some hours after a rotation', async () => {
    const { url, heard } = await receiver()
    const { id, secret } = await hook(url)
    const turn = async (oldValidHours: number) =>
      (await t.call('POST', `/api/webhooks/${id}/secret`, { token: admin, body: { oldValidHours } })).body
        .secret as string
    const second = await turn(1)
    expect((await t.call('POST', `/api/webhooks/${id}/test`, { token: admin })).status).toBe(202)
    await round()
    expect([isGenuine(heard[0]!, secret), isGenuine(heard[0]!, second)]).toEqual([true, true])
    await turn(0)
    await t.call('POST', `/api/webhooks/${id}/test`, { token: admin })
    await round()
    expect([isGenuine(heard[1]!, secret), isGenuine(heard[1]!, second)]).toEqual([false, false])
  })

  it('goes to no private address', async () => {
    for (const url of ['http://169.254.169.254/', 'http://10.0.0.1/', 'http://[::ffff:10.0.0.1]/x'])
      expect(await t.call('POST', '/api/webhooks', { token: admin, body: { name: 'x', url } })).toMatchObject({
        status: 422,
        body: { fields: { url: expect.any(String) } },
      })
    for (const url of ['ftp://a.example/', 'https://user:password@a.example/', 'https://'])
      expect((await t.call('POST', '/api/webhooks', { token: admin, body: { name: 'x', url } })).status).toBe(400)
  })

  it('is sent again when the node that sent was killed', async () => {
    const { url, heard } = await receiver()
    const { id } = await hook(url)
    await changed(t.app.db, 'departments', 1)
    await takeOver(t.app)
    await t.app.db.execute(
      sql`update webhook_deliveries set state = 'sending', next_at = now() - interval '1 second' where webhook_id = ${id}`,
    )
    await round()
    expect(heard).toHaveLength(1)
  })

  it('is changed only by people who reach its owner', async () => {
    const { url } = await receiver()
    const { id } = await hook(url)
    const other = await t.somebody(['api:webhook:update', 'api:webhook:read'])
    const body = { url: 'https://elsewhere.example/' }
    expect((await t.call('PATCH', `/api/webhooks/${id}`, { token: other.token, body })).status).toBe(403)
    expect((await t.call('POST', `/api/webhooks/${id}/secret`, { token: other.token, body: {} })).status).toBe(403)
  })
})

it('takes over changes of transactions that commit out of order', async () => {
  const { url, heard } = await receiver()
  await hook(url)
  await changed(t.app.db, 'departments', 1)
  await changed(t.app.db, 'departments', 2)
  // the row with the lower number becomes visible later
  await t.app.db.execute(sql`create temp table held as select * from announced_changes where object_id = 1`)
  await t.app.db.execute(sql`delete from announced_changes where object_id = 1`)
  await round()
  await t.app.db.execute(sql`insert into announced_changes overriding system value select * from held`)
  await round()
  expect(heard.map(({ body }) => JSON.parse(body).data.id).sort()).toEqual([1, 2])
  expect(await rows(t.app.db, sql`select from announced_changes`)).toEqual([])
})
