import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '../../access/users/tables.ts'
import { serverStates, servers } from '../../machines/servers/tables.ts'
import { websites } from '../websites/tables.ts'
import { beginDue } from './schedule.ts'
import { migrations } from './tables.ts'
import {
  answer,
  bergen,
  call,
  closeMoves,
  comesTo,
  move,
  openMoves,
  oslo,
  owner,
  read,
  site,
  t,
  update,
  website,
} from './test/moves.ts'

beforeAll(openMoves)
afterAll(closeMoves)

const longAgo = () => new Date(Date.now() - 2 * 3_600_000).toISOString()
const later = () => new Date(Date.now() + 3_600_000).toISOString()
/** Sets the time of a scheduled move to a second ago. */
const comes = (id: number) =>
  t.app.db
    .update(migrations)
    .set({ beginsAt: new Date(Date.now() - 1000).toISOString() })
    .where(eq(migrations.id, id))

describe('a scheduled move', () => {
  it('waits, shows its time, and starts automatically at that time', async () => {
    const id = await site('later.example')
    const beginsAt = later()
    const planned = await move(id, { beginsAt })
    expect(planned).toMatchObject({ status: 202, body: { status: 'waiting', beginsAt, workflowId: null } })
    expect(await beginDue(t.app)).toBe(0)
    expect(await read(planned.id)).toMatchObject({ status: 'waiting' })
    expect(await website(id)).toMatchObject({ status: 'active', serverName: 'oslo-1' })
    expect(await move(id)).toMatchObject({ status: 409 })
    await comes(planned.id)
    expect(await beginDue(t.app)).toBe(1)
    await comesTo(planned.id, 'soaking')
    expect(await website(id)).toMatchObject({ serverName: 'bergen-1' })
  })
  it('can be cancelled; another move may start afterwards', async () => {
    const id = await site('never.example')
    const { id: planned } = await move(id, { beginsAt: later() })
    expect((await update(planned, 'rollback')).status).toBe(202)
    expect(await read(planned)).toMatchObject({ status: 'rolled-back' })
    await comes(planned)
    expect(await beginDue(t.app)).toBe(0)
    expect((await move(id, { beginsAt: later() })).status).toBe(202)
  })
  it('is checked again at its time, and fails with the reason', async () => {
    const id = await site('checked.example')
    const { id: planned } = await move(id, { beginsAt: later() })
    const [before] = await t.app.db.select().from(servers).where(eq(servers.id, bergen))
    await t.app.db.update(servers).set({ address: null }).where(eq(servers.id, bergen))
    await comes(planned)
    await beginDue(t.app)
    await t.app.db
      .update(servers)
      .set({ address: before?.address ?? null })
      .where(eq(servers.id, bergen))
    expect(await read(planned)).toMatchObject({ status: 'failed', reason: expect.stringContaining('bergen-1') })
    expect(await website(id)).toMatchObject({ status: 'active', serverName: 'oslo-1' })
    expect((await update(planned, 'rollback')).status).toBe(202)
  })
  it('waits while its website is locked or its server does not answer; after an hour it fails, and people are notified', async () => {
    const chief = await t.somebody('admin')
    const id = await site('waits.example')
    const { id: planned } = await move(id, { beginsAt: later() })
    expect((await move(id)).body.message).toContain('is scheduled by')
    await t.app.db.execute(
      `insert into resource_locks (resource, workflow_id, holder) select 'website:${id}', max(workflow_id), 'Erik' from workflows`,
    )
    await comes(planned)
    await beginDue(t.app)
    expect(await read(planned)).toMatchObject({ status: 'waiting', reason: 'waits.example is being worked on by Erik' })
    await t.app.db.execute("delete from resource_locks where holder = 'Erik'")
    const seen = await t.app.db.select().from(serverStates).where(eq(serverStates.serverId, bergen))
    answer({ 'migration.look': 'no agent' })
    await t.app.db.update(serverStates).set({ operations: [] }).where(eq(serverStates.serverId, oslo))
    await beginDue(t.app)
    expect(await read(planned)).toMatchObject({ status: 'waiting' })
    await t.app.db.update(serverStates).set({ operations: seen[0]!.operations }).where(eq(serverStates.serverId, oslo))
    await beginDue(t.app)
    expect(await read(planned)).toMatchObject({ status: 'waiting', workflowId: null })
    expect(await website(id)).toMatchObject({ status: 'active' })
    await t.app.db.update(migrations).set({ beginsAt: longAgo() }).where(eq(migrations.id, planned))
    await beginDue(t.app, 60_000) // Innkeeper was down for two hours
    expect(await read(planned)).toMatchObject({ status: 'waiting' })
    await beginDue(t.app)
    answer({})
    expect(await read(planned)).toMatchObject({ status: 'failed', workflowId: null })
    const notices = await t.call('GET', '/api/employee-controller/notifications', { token: chief.token })
    expect(JSON.stringify(notices.body)).toContain('The scheduled move of waits.example did not begin')
    expect((await move(id)).body.message).toContain('has stopped: roll it back')
  })
  it('begins while 25 older ones wait', async () => {
    const waiting: number[] = []
    for (let n = 0; n < 25; n++) {
      const id = await site(`stuck-${n}.example`)
      waiting.push((await move(id, { beginsAt: later() })).id)
      await t.app.db.execute(
        `insert into resource_locks (resource, workflow_id, holder) select 'website:${id}', max(workflow_id), 'Erik' from workflows`,
      )
    }
    const { id: free } = await move(await site('behind.example'), { beginsAt: later() })
    for (const id of [...waiting, free]) await comes(id)
    expect(await beginDue(t.app)).toBe(26)
    await comesTo(free, 'soaking')
    expect(await read(waiting[0]!)).toMatchObject({ status: 'waiting' })
    await t.app.db.execute("delete from resource_locks where holder = 'Erik'")
    for (const id of waiting) await update(id, 'rollback')
  })
  it('ends with a notification if its website was deleted', async () => {
    const chief = await t.somebody('admin')
    const id = await site('gone.example')
    const { id: planned } = await move(id, { beginsAt: later() })
    await t.app.db.update(websites).set({ deletedAt: new Date().toISOString() }).where(eq(websites.id, id))
    await comes(planned)
    await beginDue(t.app)
    const reason = 'gone.example was deleted before the move began'
    expect(await read(planned)).toMatchObject({ status: 'rolled-back', reason })
    const notices = await t.call('GET', '/api/employee-controller/notifications', { token: chief.token })
    expect(JSON.stringify(notices.body)).toContain(reason)
  })
  it.each(['deleted', 'without the permission'])('does not begin for a person who is %s by then', async (how) => {
    const kim = await t.somebody(['website:migrations:create', 'website:website:read'])
    const id = await site(`${how.split(' ')[0]}.person.example`)
    const body = { targetServerId: bergen, beginsAt: later() }
    const planned = await t.call('POST', `/api/websites/${id}/migrate`, { token: kim.token, body })
    const gone = how === 'deleted' ? { deletedAt: new Date().toISOString() } : { roleId: null }
    await t.app.db.update(users).set(gone).where(eq(users.id, kim.id))
    await comes(planned.body.id)
    await beginDue(t.app)
    expect(await read(planned.body.id)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('may not move websites any more'),
    })
    expect(await website(id)).toMatchObject({ status: 'active', serverName: 'oslo-1' })
  })
  it('is refused if it could not start now, or if its time is past', async () => {
    const id = await site('refused.example')
    const past = await move(id, { beginsAt: new Date(Date.now() - 60_000).toISOString() })
    expect(past).toMatchObject({ status: 400, body: { fields: { beginsAt: 'In the past' } } })
    const far = new Date(Date.now() + 91 * 86_400_000).toISOString()
    expect((await move(id, { beginsAt: far })).status).toBe(400)
    const { serverId } = await website(id)
    expect((await move(id, { beginsAt: later(), targetServerId: serverId })).status).toBe(422)
    expect((await move(id, { beginsAt: later() })).status).toBe(202) // refused moves leave no row
  })
})

describe('a scheduled move of a group', () => {
  const set = (ids: readonly number[], values: Partial<typeof websites.$inferInsert>) =>
    t.app.db
      .update(websites)
      .set(values)
      .where(inArray(websites.id, [...ids]))
  const group = async (...domains: string[]) => {
    const ids: number[] = []
    for (const domain of domains) ids.push(await site(domain))
    const { body } = await call('POST', '/groups', { ownerId: owner, mainWebsite: ids[0], ids: ids.slice(1) })
    return { id: body.id as number, ids }
  }
  const plan = (id: number, more: object = {}) =>
    call('PATCH', '/groups/migrate', {
      id,
      originServerSource: oslo,
      originServerTarget: bergen,
      beginsAt: later(),
      ...more,
    })

  it('starts automatically with the present members; until then no other move of the group is accepted', async () => {
    const { id, ids } = await group('main.later', 'one.later')
    const planned = await plan(id)
    expect(planned).toMatchObject({
      status: 202,
      body: { type: 'group', status: 'waiting', count: 0, workflowId: null },
    })
    expect(await plan(id)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('cancel that move') },
    })
    expect(await plan(id, { beginsAt: undefined })).toMatchObject({ status: 409 })
    expect(await beginDue(t.app)).toBe(0)
    await call('PATCH', '/groups', { id, ids: ids.slice(0, 1) })
    await comes(planned.body.id)
    expect(await beginDue(t.app)).toBe(1)
    const over = await comesTo(planned.body.id, 'soaking')
    expect(over.members.map(({ domain }: { domain: string }) => domain)).toEqual(['main.later'])
    expect(await website(ids[1]!)).toMatchObject({ serverName: 'oslo-1' })
  })

  it('waits an hour for a locked website, then fails with the reason, and can be resumed or cancelled', async () => {
    const { id, ids } = await group('main.held')
    const { body } = await plan(id)
    await t.app.db.execute(
      `insert into resource_locks (resource, workflow_id, holder) select 'website:${ids[0]}', max(workflow_id), 'Erik' from workflows`,
    )
    await comes(body.id)
    await beginDue(t.app)
    expect(await read(body.id)).toMatchObject({ status: 'waiting', reason: expect.stringContaining('by Erik') })
    await t.app.db.update(migrations).set({ beginsAt: longAgo() }).where(eq(migrations.id, body.id))
    await beginDue(t.app)
    expect(await read(body.id)).toMatchObject({ status: 'failed', reason: expect.stringContaining('by Erik') })
    expect((await update(body.id, 'resume')).status).toBe(422)
    await t.app.db.execute("delete from resource_locks where holder = 'Erik'")
    expect((await update(body.id, 'resume')).status).toBe(202)
    await comesTo(body.id, 'soaking')
  })

  it.each([
    ['were deleted', (ids: number[]) => set(ids, { deletedAt: new Date().toISOString() }), 'were deleted or left'],
    ['left the server', (ids: number[]) => set(ids, { serverId: bergen }), 'was on oslo-1 any more'],
  ] as const)('ends at once with a notification if all its websites %s', async (how, leave, reason) => {
    const chief = await t.somebody('admin')
    const name = how.replaceAll(' ', '-')
    const { id, ids } = await group(`main.${name}`, `one.${name}`)
    const { body } = await plan(id)
    await leave(ids)
    await comes(body.id)
    await beginDue(t.app)
    expect(await read(body.id)).toMatchObject({ status: 'rolled-back', reason: expect.stringContaining(reason) })
    const notices = await t.call('GET', '/api/employee-controller/notifications', { token: chief.token })
    expect(JSON.stringify(notices.body)).toContain(`The scheduled move of the group of main.${name} did not begin`)
  })

  it('can be cancelled, and is refused if a member cannot move or its time is past', async () => {
    const { id } = await group('main.never')
    expect(await plan(id, { beginsAt: new Date(Date.now() - 60_000).toISOString() })).toMatchObject({ status: 400 })
    expect(await plan(id, { originServerTarget: oslo })).toMatchObject({ status: 422 })
    const { body } = await plan(id)
    expect((await update(body.id, 'rollback')).body).toMatchObject({ status: 'rolled-back' })
    expect(await beginDue(t.app)).toBe(0)
    expect((await plan(id)).status).toBe(202)
  })
})
