import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { servers } from '../servers/tables.ts'
import { beginDue } from './schedule.ts'
import { migrations } from './tables.ts'
import { bergen, closeMoves, comesTo, move, openMoves, read, site, t, update, website } from './testMoves.ts'

beforeAll(openMoves)
afterAll(closeMoves)

const later = () => new Date(Date.now() + 3_600_000).toISOString()
/** The time of a scheduled move comes. */
const comes = (id: number) =>
  t.app.db
    .update(migrations)
    .set({ beginsAt: new Date(Date.now() - 1000).toISOString() })
    .where(eq(migrations.id, id))

describe('a scheduled move', () => {
  it('waits, is shown with its time, and begins by itself when it has come', async () => {
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
  it('is cancelled, and then another one may begin', async () => {
    const id = await site('never.example')
    const { id: planned } = await move(id, { beginsAt: later() })
    expect((await update(planned, 'rollback')).status).toBe(202)
    expect(await read(planned)).toMatchObject({ status: 'rolled-back' })
    await comes(planned)
    expect(await beginDue(t.app)).toBe(0)
    expect((await move(id, { beginsAt: later() })).status).toBe(202)
  })
  it('is checked again at its time, and stops with the reason', async () => {
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
  it('is refused at once where it could not begin, in the past, and for a group', async () => {
    const id = await site('refused.example')
    const past = await move(id, { beginsAt: new Date(Date.now() - 60_000).toISOString() })
    expect(past).toMatchObject({ status: 400, body: { fields: { beginsAt: 'In the past' } } })
    const far = new Date(Date.now() + 91 * 86_400_000).toISOString()
    expect((await move(id, { beginsAt: far })).status).toBe(400)
    const { serverId } = await website(id)
    expect((await move(id, { beginsAt: later(), targetServerId: serverId })).status).toBe(422)
    expect((await move(id, { beginsAt: later() })).status).toBe(202) // nothing of the refused ones is left
  })
})
