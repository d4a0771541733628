import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Db, rows } from '../../kit/db/db.ts'
import { foresee } from '../../kit/db/foresee.ts'
import { retain } from '../../kit/work/retention.ts'
import { advance } from '../../kit/work/workflow.ts'
import { recordHeartbeat } from '../../machines/servers/agents/heartbeat.ts'
import { notifyOffline } from '../../machines/servers/agents/outage.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { begin, enrolled, heartbeat, steps } from '../../test/work.ts'
import { notify } from './notify.ts'
import { isQuiet } from './quiet.ts'

let t: TestApp
const open: WebSocket[] = []
beforeAll(async () => {
  t = await openTestApp()
  await t.http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  for (const socket of open) socket.terminate()
  await t.close()
})

const at = '/api/employee-controller/notifications'
const list = async (token: string, query = '') => (await t.call('GET', `${at}${query}`, { token })).body
const titles = (body: { items: { title: string }[] }) => body.items.map(({ title }) => title)
const config = (who: { id: number; token: string }, body: unknown) =>
  t.call('PATCH', `/api/employee-controller/profile/${who.id}/config`, { token: who.token, body })
const tell = (to: number[], title: string, more: Partial<Parameters<typeof notify>[1]> = {}) =>
  t.app.db.transaction((tx) => notify(tx, { to, reason: 'workflow', title, body: 'of it', ...more }))

async function ear(token: string) {
  const { port } = t.http.server.address() as AddressInfo // it listens on a port
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?jwt=${token}`)
  open.push(socket)
  const heard: { event: string; data: Record<string, unknown> }[] = []
  socket.on('message', (text) => heard.push(JSON.parse(String(text))))
  await once(socket, 'open')
  return heard
}

describe('a notification', () => {
  it('is listed for its recipient, newest first, and shown on the recipient’s screens only', async () => {
    const [ida, per] = [await t.somebody([]), await t.somebody([])]
    const [hers, his] = [await ear(ida.token), await ear(per.token)]
    await tell([ida.id], 'First')
    await tell([ida.id, per.id, 99999], 'Second', { level: 'error', link: '/websites/1' })
    const { items, total, unread } = await list(ida.token)
    expect({ total, unread, titles: items.map((n: { title: string }) => n.title) }).toEqual({
      total: 2,
      unread: 2,
      titles: ['Second', 'First'],
    })
    expect(items[0]).toMatchObject({ _id: expect.any(Number), level: 'error', link: '/websites/1', readAt: null })
    await expect.poll(() => hers.map(({ data }) => data.title)).toEqual(['First', 'Second'])
    expect(hers[1]?.data).toMatchObject({ _id: items[0]._id, reason: 'workflow', link: '/websites/1' })
    expect(his.map(({ data }) => data.title)).toEqual(['Second'])
  })
  it('is not sent when its transaction is rolled back', async () => {
    const eli = await t.somebody([])
    await t.app.db
      .transaction(async (tx) => {
        await notify(tx, { to: [eli.id], reason: 'workflow', title: 'Never', body: '' })
        throw new Error('taken back')
      })
      .catch(() => undefined)
    expect((await list(eli.token)).total).toBe(0)
  })
  it('is not made by a preview, which would make thousands to take them back', async () => {
    const kari = await t.somebody([])
    const many = async (db: Db) =>
      Number((await rows<{ n: string }>(db, sql`select count(*) as n from notifications`))[0]?.n)
    const before = await many(t.app.db)
    const within = await foresee(t.app.db, async (tx) => {
      await notify(tx, { to: [kari.id], reason: 'shifts', title: 'Only tried', body: '' })
      return many(tx)
    })
    await notify(t.app.db, { to: [kari.id], reason: 'shifts', title: 'Done', body: '' })
    expect([within, await many(t.app.db)]).toEqual([before, before + 1])
  })
  it('is filtered by reason, level, words and read state', async () => {
    const kim = await t.somebody([])
    await tell([kim.id], 'Website made')
    await tell([kim.id], 'Rights changed', { reason: 'rights', level: 'warning' })
    expect(titles(await list(kim.token, '?reason=rights'))).toEqual(['Rights changed'])
    expect(titles(await list(kim.token, '?level=info'))).toEqual(['Website made'])
    expect(titles(await list(kim.token, '?search=WEBSITE'))).toEqual(['Website made'])
    expect(titles(await list(kim.token, '?search=50%25'))).toEqual([])
    const [{ _id }] = (await list(kim.token, '?reason=rights')).items
    await t.call('PATCH', `${at}/${_id}`, { token: kim.token, body: {} })
    expect(titles(await list(kim.token, '?unread=true'))).toEqual(['Website made'])
    expect(titles(await list(kim.token, '?unread=false'))).toEqual(['Rights changed'])
    expect((await list(kim.token, '?unread=false')).unread).toBe(1)
  })
  it('is marked as read with all earlier ones; other tabs are updated', async () => {
    const lea = await t.somebody([])
    const heard = await ear(lea.token)
    for (const n of [1, 2, 3]) await tell([lea.id], `No ${n}`)
    const [, second] = (await list(lea.token)).items
    const { status } = await t.call('PATCH', `${at}/${second._id}`, { token: lea.token, body: { older: true } })
    expect(status).toBe(200)
    expect(titles(await list(lea.token, '?unread=true'))).toEqual(['No 3'])
    await expect
      .poll(() => heard)
      .toContainEqual({ event: 'changed', data: { domain: 'notifications', id: second._id } })
    await t.call('PATCH', `${at}/${second._id}`, { token: lea.token, body: { read: false } })
    expect((await list(lea.token)).unread).toBe(2)
  })
  it('of another person is not found', async () => {
    const [ane, bo] = [await t.somebody([]), await t.somebody('admin')]
    await tell([ane.id], 'Hers')
    const [{ _id }] = (await list(ane.token)).items
    expect(await t.call('PATCH', `${at}/${_id}`, { token: bo.token, body: {} })).toMatchObject({ status: 404 })
    expect((await list(ane.token)).unread).toBe(1)
  })
  it('is deleted after 90 days, read or unread', async () => {
    const old = await t.somebody([])
    await tell([old.id], 'Old')
    await tell([old.id], 'Young')
    await t.app.db.execute(sql`update notifications set date = now() - interval '91 days' where title = 'Old'`)
    await retain(t.app)
    expect(titles(await list(old.token))).toEqual(['Young'])
  })
  it('is cut to fit into a push message, in every script', async () => {
    const max = await t.somebody([])
    const heard = await ear(max.token)
    await tell([max.id], '"\\\u0001'.repeat(200), { body: '\u{1F511}"'.repeat(2000) })
    await expect.poll(() => heard.length).toBe(1)
    expect([...String(heard[0]?.data.body)]).toHaveLength(1000)
  })
})

describe('the delivery', () => {
  it('depends on the reason: shown, listed only, or not sent', async () => {
    const eva = await t.somebody([])
    const heard = await ear(eva.token)
    await config(eva, { deliveries: { workflow: 'list', server: 'off' } })
    await tell([eva.id], 'Quietly')
    await tell([eva.id], 'Unwanted', { reason: 'server' })
    await tell([eva.id], 'Loud', { reason: 'rights' })
    await expect.poll(() => heard.filter(({ event }) => event === 'notification')).toHaveLength(1)
    expect(heard.find(({ event }) => event === 'notification')?.data.title).toBe('Loud')
    expect(heard).toContainEqual({ event: 'changed', data: { domain: 'notifications', id: expect.any(Number) } })
    const { items } = await list(eva.token)
    expect(items.map((n: { title: string; silent: boolean }) => [n.title, n.silent])).toEqual([
      ['Loud', false],
      ['Quietly', true],
    ])
  })
  it('is silent in quiet hours, except in the list', async () => {
    const sol = await t.somebody([])
    const hour = (plus: number) => `${String((new Date().getUTCHours() + 24 + plus) % 24).padStart(2, '0')}:00`
    await config(sol, { quietHours: { from: hour(-1), to: hour(2) } })
    await tell([sol.id], 'At night')
    expect((await list(sol.token)).items[0]).toMatchObject({ title: 'At night', silent: true })
    await config(sol, { quietHours: { from: hour(2), to: hour(4) } })
    await tell([sol.id], 'By day')
    expect((await list(sol.token)).items[0]).toMatchObject({ title: 'By day', silent: false })
  })
  it.each([
    ['2026-11-21T22:30:00Z', 'UTC', true],
    ['2026-11-21T06:59:00Z', 'UTC', true],
    ['2026-11-21T07:00:00Z', 'UTC', false],
    ['2026-11-21T21:30:00Z', 'Europe/Oslo', true],
    ['2026-11-21T06:30:00Z', 'Europe/Oslo', false],
    ['2026-07-21T20:30:00Z', 'Europe/Oslo', true],
    ['2026-11-21T22:30:00Z', null, true],
  ])('quiet from 22 to 7: %s in %s is %s', (now, zone, quiet) => {
    expect(isQuiet(new Date(now), zone, '22:00', '07:00')).toBe(quiet)
    expect(isQuiet(new Date(now), zone, null, null)).toBe(false)
  })
})

describe('the starter of a workflow', () => {
  const started = async (who: number, ago = '1 second') => {
    const id = await begin(t.app.db, {
      subject: { type: 'website', id: 9, name: 'shop.example' },
      plan: steps(1),
      startedById: who,
    })
    await t.app.db.execute(sql`update workflows set started_at = now() - ${ago}::interval where workflow_id = ${id}`)
    return id
  }
  const end = (id: number, status: string, reason: string | null) =>
    t.app.db.transaction(async (tx) => {
      await tx.execute(sql`update actions set status = ${status}, reason = ${reason} where workflow_id = ${id}`)
      await advance(tx, [id])
    })

  it('is notified of a failure, with action, reason and link', async () => {
    const siv = await t.somebody([])
    await end(await started(siv.id), 'failed', 'the disk is full')
    expect((await list(siv.token)).items).toMatchObject([
      { reason: 'workflow', level: 'error', body: 'Note: the disk is full', link: '/websites/9' },
    ])
  })
  it('is notified of the end of a long workflow, but not of a short one', async () => {
    const tor = await t.somebody([])
    await end(await started(tor.id), 'done', null)
    expect((await list(tor.token)).total).toBe(0)
    await end(await started(tor.id, '2 minutes'), 'done', null)
    expect((await list(tor.token)).items).toMatchObject([
      { level: 'success', title: expect.stringContaining('is done') },
    ])
  })
})

describe('people who manage servers', () => {
  it('are notified once that a server is offline, and once that it is online again', async () => {
    const keeper = await t.somebody(['server:server:update'])
    const reader = await t.somebody(['server:server:read'])
    const id = await enrolled(t.app.db, 'web-gone')
    await notifyOffline(t.app.db)
    expect((await list(keeper.token)).total).toBe(0)
    await t.app.db.execute(
      sql`update server_states set last_seen_at = now() - interval '2 minutes' where server_id = ${id}`,
    )
    await Promise.all([notifyOffline(t.app.db), notifyOffline(t.app.db)])
    await notifyOffline(t.app.db)
    expect((await list(keeper.token)).items).toMatchObject([
      { reason: 'server', level: 'error', title: 'web-gone is offline', link: `/server/${id}` },
    ])
    await recordHeartbeat(t.app.db, id, heartbeat, '')
    await recordHeartbeat(t.app.db, id, heartbeat, '')
    expect(titles(await list(keeper.token))).toEqual(['web-gone is online again', 'web-gone is offline'])
    expect((await list(reader.token)).total).toBe(0)
  })
  it('get one notification of several outages, and none of a server with the status down', async () => {
    const keeper = await t.somebody('admin')
    for (const name of ['web-x1', 'web-x2', 'web-x3']) await enrolled(t.app.db, name)
    await t.app.db.execute(sql`update servers set status = 'down' where name = 'web-x3'`)
    await t.app.db.execute(sql`update server_states set last_seen_at = now() - interval '2 minutes'
      where server_id in (select server_id from servers where name like 'web-x_')`)
    await notifyOffline(t.app.db)
    expect((await list(keeper.token)).items).toMatchObject([{ title: '2 servers are offline', body: 'web-x1, web-x2' }])
  })
})

describe('people whose rights change', () => {
  it('read who changed them and what changed; the author gets no notification', async () => {
    const chief = await t.somebody('admin', 'chief')
    const uma = await t.somebody(['dns:zone:read', 'dns:zone:delete'], 'uma')
    const { roleId } = (await t.call('GET', `/api/auth/users/${uma.id}`, { token: chief.token })).body
    const scopes = ['dns:zone:read', 'dns:zone:create']
    const saved = await t.call('PATCH', `/api/auth/roles/${roleId}`, { token: chief.token, body: { scopes } })
    expect(saved.status).toBe(200)
    expect((await list(uma.token)).items).toMatchObject([
      {
        reason: 'rights',
        body: 'By Some chief. The role role of uma gives you dns:zone:create and takes dns:zone:delete.',
      },
    ])
    await t.call('PATCH', '/api/auth/roles/users', { token: chief.token, body: { users: [uma.id], role: null } })
    expect((await list(uma.token)).items[0]).toMatchObject({ body: 'By Some chief. You have no role now.' })
    expect((await list(chief.token, '?reason=rights')).total).toBe(0)
  })
  it('and successors read which records they receive from a colleague', async () => {
    const admin = await t.somebody('admin')
    const [gone, heir] = [await t.somebody([], 'gone'), await t.somebody([], 'heir')]
    await begin(t.app.db, {
      subject: { type: 'website', id: 11, name: 'left.example' },
      plan: steps(1),
      startedById: gone.id,
    })
    const body = { id: gone.id, heir: heir.id }
    expect((await t.call('DELETE', `/api/auth/users/${gone.id}`, { token: admin.token, body })).status).toBeLessThan(
      300,
    )
    expect((await list(heir.token)).items).toMatchObject([
      { reason: 'handover', title: 'You took over the records of Some gone', body: expect.stringContaining(': 1') },
    ])
  })
})
