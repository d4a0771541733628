import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { departments } from '../../access/departments/tables.ts'
import { users } from '../../access/users/tables.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { totalOf } from './total.ts'

let t: TestApp
type Person = Awaited<ReturnType<TestApp['somebody']>>
const audits = ['read', 'create', 'update', 'delete'].map((act) => `scrums:audit:${act}`)
let [lead, mate, dev, outsider]: Person[] = []
let reviews = 0
let tests = 0
const at = '/api/dev-scrum'
const ask = (who: Person | undefined, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `${at}/${path}`, { token: who!.token, ...(body !== undefined && { body }) })

beforeAll(async () => {
  t = await openTestApp()
  lead = await t.somebody(audits)
  mate = await t.somebody(['scrums:audit:read'])
  dev = await t.somebody([])
  outsider = await t.somebody(audits)
  const [made] = await t.app.db.insert(departments).values({ name: 'Engineers' }).returning()
  const [other] = await t.app.db.insert(departments).values({ name: 'Others' }).returning()
  for (const { id } of [lead, mate, dev])
    await t.app.db.update(users).set({ departmentId: made!.id }).where(eq(users.id, id))
  await t.app.db.update(users).set({ departmentId: other!.id }).where(eq(users.id, outsider.id))
  const admin = await t.somebody('admin')
  reviews = (await ask(admin, 'POST', 'components', { name: 'Reviews', weight: 30 })).body.id
  tests = (await ask(admin, 'POST', 'components', { name: 'Tests', weight: 10 })).body.id
  await ask(admin, 'POST', 'components', { name: 'Former', status: 'inactive' })
})
afterAll(() => t.close())

let month = 0
const draft = async (more: object = {}) => {
  month += 1
  const period = {
    periodStart: `2025-${String(month).padStart(2, '0')}-01`,
    periodEnd: `2025-${String(month).padStart(2, '0')}-14`,
  }
  return (await ask(lead, 'POST', 'audits', { name: `Sprint ${month}`, userId: dev!.id, ...period, ...more })).body
}
const scores = (a: number | null, b: number | null, comment = 'why') => [
  { componentId: reviews, score: a, comment },
  { componentId: tests, score: b, comment },
]

describe('an audit', () => {
  it('starts with every active component and weights its scores', async () => {
    const made = await draft()
    expect(made).toMatchObject({ status: 'draft', total: null, scale: 5 })
    expect(made.items.map(({ name }: { name: string }) => name)).toEqual(['Reviews', 'Tests'])
    const { body } = await ask(lead, 'PATCH', `audits/${made.id}`, { items: scores(5, 1), version: made.version })
    expect(body.total).toBe(80) // (30 × 5 + 10 × 1) of 40 × 5
    expect((await ask(lead, 'PATCH', `audits/${made.id}`, { items: scores(5, null) })).body.total).toBe(100)
    expect(totalOf([], 5)).toBe(-1)
  })
  it('refuses scores beyond the scale, repeated components and inactive ones, beside the field', async () => {
    const { id } = await draft()
    const refusal = async (items: unknown) => (await ask(lead, 'PATCH', `audits/${id}`, { items })).body.fields
    expect(await refusal(scores(6, 1))).toEqual({ 'items.0.score': 'At most 5' })
    expect(await refusal([...scores(1, 1), { componentId: tests }])).toHaveProperty(['items.2.componentId'])
    expect(await refusal([{ componentId: tests + 1 }])).toHaveProperty(['items.0.componentId'])
  })
  it('is submitted with comments on low scores, then visible to the audited person, who alone acknowledges it', async () => {
    const made = await draft({ items: scores(4, 1, '') })
    const submit = () => ask(lead, 'PATCH', `audits/${made.id}`, { status: 'submitted' })
    expect((await submit()).body.fields).toEqual({ 'items.1.comment': 'A low score needs a comment' })
    expect((await ask(dev, 'GET', `audits/${made.id}`)).status).toBe(404)
    await ask(lead, 'PATCH', `audits/${made.id}`, { items: scores(4, 1) })
    expect((await submit()).body.status).toBe('submitted')
    expect((await ask(dev, 'GET', `audits/${made.id}`)).body.mayAcknowledge).toBe(true)
    expect((await ask(lead, 'PATCH', `audits/${made.id}`, { items: scores(5, 5) })).status).toBe(409)
    expect((await ask(lead, 'POST', `audits/${made.id}/acknowledge`, {})).status).toBe(403)
    const done = await ask(dev, 'POST', `audits/${made.id}/acknowledge`, { reply: 'Fair' })
    expect(done.body).toMatchObject({ status: 'acknowledged', reply: 'Fair' })
    expect((await ask(dev, 'POST', `audits/${made.id}/acknowledge`, {})).status).toBe(409)
    expect((await ask(lead, 'DELETE', `audits/${made.id}`)).status).toBe(409)
    const { body } = await t.call('GET', '/api/employee-controller/notifications', { token: dev!.token })
    expect(body.items[0].title).toContain('submitted your audit')
  })
  it('keeps the names and weights of the time of submission', async () => {
    const made = await draft({ items: scores(4, 4), status: 'submitted' })
    const admin = await t.somebody('admin')
    await ask(admin, 'PATCH', `components/${tests}`, { name: 'Test cover', weight: 90 })
    const { body } = await ask(lead, 'GET', `audits/${made.id}`)
    expect(body.items[1]).toMatchObject({ name: 'Tests', weight: 10 })
    await ask(admin, 'PATCH', `components/${tests}`, { name: 'Tests', weight: 10 })
  })
  it('exists once per person, auditor and period, and never for oneself or another department', async () => {
    const { periodStart, periodEnd } = await draft()
    const again = { name: 'Again', userId: dev!.id, periodStart, periodEnd }
    expect((await ask(lead, 'POST', 'audits', again)).status).toBe(409)
    expect((await ask(lead, 'POST', 'audits', { name: 'Me', userId: lead!.id })).status).toBe(403)
    expect((await ask(outsider, 'POST', 'audits', { name: 'Them', userId: dev!.id })).status).toBe(403)
    expect((await ask(lead, 'POST', 'audits', { name: 'Gone', userId: 999_999 })).body.fields).toHaveProperty('userId')
  })
})

describe('an action', () => {
  it('becomes an internal ticket and shows its state, also after the ticket is deleted', async () => {
    const made = await draft()
    const added = await ask(lead, 'POST', `audits/${made.id}/actions`, {
      title: 'Pair on reviews',
      componentId: reviews,
    })
    const [action] = added.body.actions
    expect(action).toMatchObject({ title: 'Pair on reviews', componentName: 'Reviews', isDone: false })
    expect(action.ticketKey).toMatch(/\d+$/)
    await t.app.db.execute(
      sql`update tracker_items set status_group = 'completed' where tracker_item_id = ${action.ticketId}`,
    )
    expect((await ask(lead, 'GET', `audits/${made.id}`)).body.actions[0].isDone).toBe(true)
    await t.app.db.execute(sql`update tracker_items set deleted_at = now() where tracker_item_id = ${action.ticketId}`)
    expect((await ask(lead, 'GET', `audits/${made.id}`)).body.actions[0]).toMatchObject({
      ticketKey: null,
      state: null,
    })
    expect((await ask(lead, 'DELETE', `audits/${made.id}/actions/${action.id}`)).body.actions).toEqual([])
    expect((await ask(mate, 'POST', `audits/${made.id}/actions`, { title: 'x' })).status).toBe(403)
  })
})

describe('the one rule of visibility', () => {
  const idsOf = async (who: Person | undefined, path = 'audits?itemsPerPage=200') =>
    (await ask(who, 'GET', path)).body.items.map(({ id }: { id: number }) => id)
  it('shows drafts to the auditor, the rest to the department, and nothing to others', async () => {
    const [hidden, shown] = [await draft(), await draft({ items: scores(3, 3), status: 'submitted' })]
    expect(await idsOf(lead)).toEqual(expect.arrayContaining([hidden.id, shown.id]))
    const near = await idsOf(mate)
    expect([near.includes(hidden.id), near.includes(shown.id)]).toEqual([false, true])
    expect(await idsOf(outsider)).toEqual([])
    expect((await ask(outsider, 'GET', `audits/${shown.id}`)).status).toBe(404)
    expect((await ask(outsider, 'GET', `audits/user/${dev!.id}`)).body.total).toBe(0)
    expect(await idsOf(dev, `audits/user/${dev!.id}?itemsPerPage=200`)).toContain(shown.id)
    expect((await ask(dev, 'GET', 'audits')).status).toBe(403)
    const trend = (await ask(dev, 'GET', `audits/user/${dev!.id}/trend`)).body
    expect(trend.audits.at(-1)).toMatchObject({ id: shown.id, total: 60 })
    expect(trend.components[0]).toMatchObject({ name: 'Reviews' })
    expect((await ask(outsider, 'GET', `audits/user/${dev!.id}/trend`)).body.audits).toEqual([])
  })
})
