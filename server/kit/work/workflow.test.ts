import { AsyncLocalStorage } from 'node:async_hooks'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { letPass } from '../../../bin/pass.ts'
import { servers } from '../../machines/servers/tables.ts'
import { workflowsById } from '../../machines/workflows/read.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { actionsOf, begin, carryOut, enrolled, setAside, statusesOf, steps, workflowOf } from '../../test/work.ts'
import type { Db } from '../db/db.ts'
import { Refusal, refused } from '../http/errors.ts'
import { beat, claim, finish, nextCall, sweep } from './claim.ts'
import { act } from './interventions.ts'
import { planAgain } from './line.ts'
import { actionOutputs, actions, resourceLocks } from './tables.ts'
import { describe as describeKind, type Outcome, onEnd } from './workflow.ts'

let t: TestApp
let db: Db
let server: number
const ends: { outcome: Outcome; status: string; locks: number }[] = []
beforeAll(async () => {
  t = await openTestApp()
  db = t.app.db
  server = await enrolled(db, 'web-1')
  describeKind('test.rename', { title: 'Rename', doing: 'being renamed' })
  onEnd('test.hooked', async (tx, workflow, outcome) => {
    const locks = (await tx.select().from(resourceLocks).where(eq(resourceLocks.workflowId, workflow.id))).length
    ends.push({ outcome, status: workflow.status, locks })
  })
})
afterAll(() => t.close())
beforeEach(() => setAside(db))

const leaseEnds = (id: number) =>
  db.execute(sql`update actions set lease_until = now() - interval '1 second' where action_id = ${id}`)

describe('a workflow', () => {
  it('has one action ready at a time, in the order of its plan', async () => {
    const id = await begin(db)
    expect(await statusesOf(db, id)).toBe('ready pending pending')
    await carryOut(db, null)
    expect(await statusesOf(db, id)).toBe('done ready pending')
    await carryOut(db, null)
    await carryOut(db, null)
    expect(await statusesOf(db, id)).toBe('done done done')
    expect(await workflowOf(db, id)).toMatchObject({ status: 'done', endedAt: expect.any(String) })
  })

  it('leaves nothing when its transaction fails', async () => {
    const subject = { type: 'website', id: 9999, name: 'gone.example' }
    await expect(
      db.transaction(async (tx) => {
        const { start } = await import('./workflow.ts')
        await start(tx, {
          kind: 'test',
          subject,
          holder: 'x',
          startedById: null,
          plan: steps(1),
          locks: ['website:9999'],
        })
        throw new Error('the caller fails')
      }),
    ).rejects.toThrow('the caller fails')
    expect(await claim(db, null, 'short', 5)).toEqual([])
    await begin(db, { locks: ['website:9999'] })
  })

  it('stops at a failed action with the reason, and keeps its locks', async () => {
    const id = await begin(db)
    await carryOut(db, null)
    await carryOut(db, null, { status: 'failed', reason: 'nginx: [emerg] no' })
    expect(await statusesOf(db, id)).toBe('done failed pending')
    expect((await workflowOf(db, id)).status).toBe('failed')
    expect((await actionsOf(db, id))[1]?.reason).toBe('nginx: [emerg] no')
    expect(await db.select().from(resourceLocks).where(eq(resourceLocks.workflowId, id))).toHaveLength(1)
  })

  it('excludes others by its lock; the refusal says which workflow runs, who started it and when', async () => {
    await begin(db, { kind: 'test.rename', locks: ['website:7'] })
    const refusal = await begin(db, { holder: 'Mona', locks: ['website:7'] }).catch((error) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal.status).toBe(409)
    expect(refusal.body.message).toMatch(/^shop\.example is being renamed by Erik Lindqvist since \d\d:\d\d UTC$/)
  })

  it('releases its locks at its end', async () => {
    await begin(db, { locks: ['website:8'], plan: steps(1) })
    await carryOut(db, null)
    await begin(db, { locks: ['website:8'] })
  })

  it('is created once for a repeated request', async () => {
    const first = await begin(db, { request: 'r1', locks: ['website:10'] })
    expect(await begin(db, { request: 'r1', locks: ['website:10'] })).toBe(first)
    expect(await claim(db, null, 'short', 5)).toHaveLength(1)
  })

  it('shows actions left out in the form as skipped, and refuses to omit required ones', async () => {
    const plan = steps(2)
    plan[1] = { ...plan[1]!, name: 'test.other' }
    const id = await begin(db, { plan, exclude: ['test.note'] })
    const [first, second] = await actionsOf(db, id)
    expect(first).toMatchObject({ status: 'skipped', reason: 'left out in the form' })
    expect(second?.status).toBe('ready')
    const needed = plan.map((step) => ({ ...step, optional: false }))
    await expect(begin(db, { plan: needed, exclude: ['test.note'] })).rejects.toMatchObject({ status: 422 })
    await expect(begin(db, { exclude: ['no.such'] })).rejects.toThrow('no.such is not in the plan')
  })

  it('calls its kind’s hook when it fails, continues and ends, with or without its locks', async () => {
    const id = await begin(db, { kind: 'test.hooked', plan: steps(1), locks: ['website:11'] })
    await carryOut(db, null, { status: 'failed', reason: 'no' })
    const { act } = await import('./interventions.ts')
    const [stopped] = await actionsOf(db, id)
    await db.transaction((tx) => act(tx, { workflowId: id, actionId: stopped!.id, actionType: 'retry', by: 'Mona' }))
    await carryOut(db, null)
    expect(ends).toEqual([
      { outcome: 'failed', status: 'failed', locks: 1 },
      { outcome: 'running', status: 'running', locks: 1 },
      { outcome: 'done', status: 'done', locks: 0 },
    ])
  })
})

describe('a claim', () => {
  it('gives an action to one of two simultaneous claims', async () => {
    const id = await begin(db)
    const got = await Promise.all([claim(db, null, 'short', 5), claim(db, null, 'short', 5)])
    expect(got.flat()).toHaveLength(1)
    expect(await statusesOf(db, id)).toBe('running pending pending')
  })

  it('skips an action that another claim is taking, without waiting', async () => {
    await begin(db)
    const elsewhere = AsyncLocalStorage.snapshot() // as another process, which has no transaction open
    const { other } = await db.transaction(async (tx) => {
      expect(await claim(tx, null, 'short', 5)).toHaveLength(1)
      const other = elsewhere(() => claim(db, null, 'short', 5))
      // the embedded database has one transaction at a time: there it waits for the end of this one
      if (t.app.database.kind === 'postgresql')
        expect(
          await Promise.race([other, letPass(20_000, 'the claim would have waited').then(() => 'waited')]),
        ).toEqual([])
      return { other }
    })
    expect(await other).toEqual([])
  })

  it('makes a newer claim of the same agent wait until it has taken its actions', async () => {
    const call = await nextCall(db, server, 'short')
    await begin(db, { plan: steps(1, server) })
    const elsewhere = AsyncLocalStorage.snapshot()
    const { newer } = await db.transaction(async (tx) => {
      expect(await claim(tx, server, 'short', 5, { call })).toHaveLength(1)
      const newer = elsewhere(() => nextCall(db, server, 'short'))
      expect(await Promise.race([newer, letPass(100, 'the claim has looked and waits').then(() => 'waited')])).toBe(
        'waited',
      )
      return { newer }
    })
    expect(await newer).toBe(call + 1)
  })

  it('gives a server only its own work, by lane', async () => {
    await begin(db, { plan: steps(1, server) })
    expect(await claim(db, null, 'short', 5)).toEqual([])
    expect(await claim(db, server, 'long', 5)).toEqual([])
    expect(await claim(db, server, 'short', 5)).toMatchObject([
      { name: 'test.note', task: 'run', attempt: 1, inspect: false, input: { n: 1 } },
    ])
  })

  it('gives nothing to a server that is down or to a revoked agent', async () => {
    await begin(db, { plan: steps(1, server) })
    const set = (values: Partial<typeof servers.$inferInsert>) =>
      db.update(servers).set(values).where(eq(servers.id, server))
    await set({ status: 'down' })
    expect(await claim(db, server, 'short', 5)).toEqual([])
    await set({ status: 'up', credentialRevokedAt: new Date().toISOString() })
    expect(await claim(db, server, 'short', 5)).toEqual([])
    await set({ credentialRevokedAt: null })
    expect(await claim(db, server, 'short', 5)).toHaveLength(1)
  })
})

describe('an attempt', () => {
  it('is in doubt when its lease ends: the next attempt inspects first', async () => {
    const id = await begin(db)
    const [op] = await claim(db, null, 'short', 1)
    expect(await sweep(db)).toBe(0)
    await leaseEnds(op!.id)
    expect(await sweep(db)).toBe(1)
    expect(await statusesOf(db, id)).toBe('unknown pending pending')
    expect(await claim(db, null, 'short', 1)).toMatchObject([{ id: op!.id, attempt: 2, inspect: true }])
  })

  it('is in doubt when the database’s clock was set back, which would extend its lease', async () => {
    const id = await begin(db)
    const [op] = await claim(db, null, 'short', 1)
    await db.execute(sql`update actions set lease_until = now() + interval '1 hour' where action_id = ${op!.id}`)
    expect(await sweep(db)).toBe(1)
    expect((await actionsOf(db, id))[0]?.reason).toBe("attempt 1 was at work when the database's clock was set back")
    expect(await claim(db, null, 'short', 1)).toMatchObject([{ id: op!.id, attempt: 2, inspect: true }])
  })

  it('changes nothing if it answers after its successor has started', async () => {
    const id = await begin(db)
    const [old] = await claim(db, null, 'short', 1)
    await leaseEnds(old!.id)
    await sweep(db)
    await claim(db, null, 'short', 1)
    expect(await finish(db, null, [{ id: old!.id, attempt: 1, status: 'done' }])).toEqual([])
    expect(await statusesOf(db, id)).toBe('running pending pending')
    expect(await finish(db, null, [{ id: old!.id, attempt: 2, status: 'done' }])).toEqual([old!.id])
  })

  it('may still answer while in doubt', async () => {
    const id = await begin(db)
    const [op] = await claim(db, null, 'short', 1)
    await leaseEnds(op!.id)
    await sweep(db)
    expect(await finish(db, null, [{ id: op!.id, attempt: 1, status: 'done' }])).toEqual([op!.id])
    expect(await statusesOf(db, id)).toBe('done ready pending')
  })

  it('cannot be answered by another server', async () => {
    const other = await enrolled(db, 'web-2')
    await begin(db, { plan: steps(1, server) })
    const [op] = await claim(db, server, 'short', 1)
    expect(await finish(db, other, [{ id: op!.id, attempt: 1, status: 'done' }])).toEqual([])
    expect((await beat(db, other, [op!], [])).gone).toHaveLength(1)
  })

  it('keeps its lease with heartbeats, which also report a lost lease', async () => {
    await begin(db)
    const [op] = await claim(db, null, 'short', 1)
    await leaseEnds(op!.id)
    expect((await beat(db, null, [op!], [])).gone).toEqual([])
    expect(await sweep(db)).toBe(0)
    await leaseEnds(op!.id)
    await sweep(db)
    // an attempt in doubt is not stopped
    const lost = { gone: [{ id: op!.id, attempt: 1 }], stop: [] }
    expect(await beat(db, null, [{ id: op!.id, attempt: op!.attempt }], [])).toEqual(lost)
  })

  it('is blocked for staff when the tenth attempt is in doubt', async () => {
    const id = await begin(db)
    await db.update(actions).set({ attempt: 9 }).where(eq(actions.workflowId, id))
    const [op] = await claim(db, null, 'short', 1)
    await leaseEnds(op!.id)
    await sweep(db)
    expect(await statusesOf(db, id)).toBe('blocked pending pending')
    expect((await workflowOf(db, id)).status).toBe('failed')
  })

  it('logs its lines once, however often they are sent', async () => {
    await begin(db)
    const [op] = await claim(db, null, 'short', 1)
    const line = (seq: number) => ({ id: op!.id, attempt: 1, seq, at: Date.UTC(2026, 0, 2), text: `line ${seq}` })
    await beat(db, null, [], [line(0), line(1)])
    await beat(db, null, [], [line(1), line(2), line(999)])
    const lines = await db.select().from(actionOutputs).where(eq(actionOutputs.actionId, op!.id))
    expect(lines.map((l) => l.text).sort()).toEqual(['line 0', 'line 1', 'line 2'])
    expect(lines[0]?.at).toBe('2026-01-02T00:00:00.000Z')
  })

  it('is blocked when the hook for its answer fails', async () => {
    onEnd('test.broken', async (_tx, _workflow, outcome) => {
      if (outcome === 'done') throw new Error('a rule of the website says no')
    })
    const id = await begin(db, { kind: 'test.broken', plan: steps(1) })
    await carryOut(db, null)
    expect((await actionsOf(db, id))[0]).toMatchObject({
      status: 'blocked',
      reason: 'The agent answered done, which could not be stored: a rule of the website says no',
    })
  })

  it('is blocked when the database refuses its answer, without effect on other answers', async () => {
    const first = await begin(db)
    const second = await begin(db)
    const [a, b] = await claim(db, null, 'short', 5)
    const poison = { nul: 'a\0b' }
    const taken = await finish(db, null, [
      { id: a!.id, attempt: 1, status: 'done', output: poison },
      { id: b!.id, attempt: 1, status: 'done' },
    ])
    expect(taken.sort()).toEqual([a!.id, b!.id].sort())
    expect(await statusesOf(db, first)).toBe('blocked pending pending')
    expect(await statusesOf(db, second)).toBe('done ready pending')
  })
})

describe('changes in line', () => {
  beforeAll(() => {
    describeKind('line.change', { title: 'Change', doing: 'being changed', queues: true })
    describeKind('line.delete', { title: 'Delete', doing: 'being deleted' })
  })
  const wait = (locks: string[], kind = 'line.change') => begin(t.app.db, { kind, plan: steps(1, null), locks })
  const stateOf = async (id: number) => (await workflowOf(t.app.db, id)).status
  const run = async () => {
    for (const op of await claim(t.app.db, null, 'short', 1)) await finish(t.app.db, null, [{ ...op, status: 'done' }])
  }

  it('waits for its turn, in order, and begins when the one before it has ended', async () => {
    const [first, second, third] = [await wait(['line:1']), await wait(['line:1']), await wait(['line:1'])]
    expect([await stateOf(first), await stateOf(second), await stateOf(third)]).toEqual([
      'running',
      'waiting',
      'waiting',
    ])
    const [shown] = await workflowsById(t.app.db, [third])
    expect(shown).toMatchObject({
      paused: false,
      waitsFor: expect.stringMatching(/“Change” of .*; it is number 2 in the line$/),
    })
    await run()
    expect([await stateOf(first), await stateOf(second), await stateOf(third)]).toEqual(['done', 'running', 'waiting'])
    await run()
    await run()
    expect(await stateOf(third)).toBe('done')
  })
  it('refuses a contradiction, and a change behind one that stopped', async () => {
    await wait(['line:2'])
    await expect(wait(['line:2'], 'line.delete')).rejects.toMatchObject({ status: 409 })
    const deleting = await wait(['line:3'], 'line.delete')
    await expect(wait(['line:3'])).rejects.toMatchObject({ status: 409 })
    for (const op of await claim(t.app.db, null, 'short', 5))
      await finish(t.app.db, null, [{ ...op, status: 'failed', reason: 'made to fail' }])
    expect(await stateOf(deleting)).toBe('failed')
    await expect(wait(['line:2'])).rejects.toMatchObject({ status: 409 })
  })
  it('also waits behind an earlier one in line, and leaves the line when it is rolled back', async () => {
    await wait(['line:4'])
    const both = await wait(['line:4', 'line:5'])
    const other = await wait(['line:5'])
    expect(await stateOf(other)).toBe('running') // nobody has this lock yet
    const later = await wait(['line:5'])
    const [action] = await actionsOf(t.app.db, both)
    await t.app.db.transaction((tx) =>
      act(tx, { workflowId: both, actionId: action!.id, actionType: 'rollback', by: 'x' }),
    )
    expect(await stateOf(both)).toBe('rolled-back')
    await run()
    await run()
    expect([await stateOf(other), await stateOf(later)]).toEqual(['done', 'running'])
  })
  it('makes its plan again at its turn, and stops when it no longer applies', async () => {
    describeKind('line.again', { title: 'Change', doing: 'being changed', queues: true })
    planAgain('line.again', async () => {
      throw refused('It was deleted meanwhile')
    })
    await wait(['line:6'], 'line.again')
    const second = await wait(['line:6'], 'line.again')
    await run()
    expect((await actionsOf(t.app.db, second))[0]).toMatchObject({
      status: 'failed',
      reason: 'It was deleted meanwhile',
    })
  })
})
