import { DrizzleQueryError, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { letPass } from '../../../bin/pass.ts'
import { heartbeats } from '../../machines/servers/tables.ts'
import { schedules } from '../../registry.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import {
  actionsOf,
  begin,
  effects,
  enrolled,
  failNext,
  holdNext,
  resource,
  setAside,
  statusesOf,
  steps,
  workflowOf,
} from '../../test/work.ts'
import { liveRead, patience, sweepReads } from '../agents/liveRead.ts'
import type { App } from '../app/app.ts'
import { action, step } from './action.ts'
import { atWork } from './atWork.ts'
import { claim, finish, sweep } from './claim.ts'
import { act } from './interventions.ts'
import { openQueue } from './queue.ts'
import { retain } from './retention.ts'
import { startRunner } from './runner.ts'
import { actionOutputs, actions, workflows } from './tables.ts'
import { startWorker } from './worker.ts'

const other = action('test.other', z.object({}), { title: 'Other', what: () => 'waits for nobody', async run() {} })
let t: TestApp
let stop: (() => Promise<void>)[] = []
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  effects.length = 0
  await setAside(t.app.db)
})
afterEach(async () => {
  for (const end of stop) await end()
  stop = []
})

async function run() {
  const worker = await startWorker(t.app, schedules)
  stop.push(() => worker.stop())
  return worker
}
async function until(true_: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 240_000; !(await true_()); await letPass(20, 'between two looks'))
    if (Date.now() > end) throw new Error('it did not come to pass')
}
const is = (id: number, statuses: string) => until(async () => (await statusesOf(t.app.db, id)) === statuses)

describe('the server’s own worker', () => {
  it('recovers when the database is unavailable during an action', async () => {
    failNext(2, new DrizzleQueryError('select secret', [], Object.assign(new Error('ended'), { code: '57P01' })))
    await run()
    const id = await begin(t.app.db, { plan: steps(1) })
    await is(id, 'done')
    expect((await actionsOf(t.app.db, id))[0]).toMatchObject({ attempt: 3 })
    expect(effects).toEqual(['+1'])
  })

  it('reports the error of a statement, not the statement', async () => {
    failNext(1, new DrizzleQueryError('select secret', [], new Error('no such column')))
    await run()
    const id = await begin(t.app.db, { plan: steps(1) })
    await is(id, 'failed')
    expect((await actionsOf(t.app.db, id))[0]?.reason).toBe('no such column')
  })

  it('runs a plan in order, and logs its lines', async () => {
    await run()
    const id = await begin(t.app.db)
    await is(id, 'done done done')
    expect(effects).toEqual(['+1', '+2', '+3'])
    const [first] = await actionsOf(t.app.db, id)
    expect(first?.output).toEqual({ wrote: 1 })
    await until(
      async () => (await t.app.db.select().from(actionOutputs).where(sql`action_id = ${first!.id}`)).length === 1,
    )
  })

  it('stops at a failure, and continues with a retry', async () => {
    await run()
    failNext(1)
    const id = await begin(t.app.db)
    await is(id, 'failed pending pending')
    const [first] = await actionsOf(t.app.db, id)
    expect(first?.reason).toBe('made to fail')
    const ask = (actionType: 'retry', actionId: number) =>
      t.app.db.transaction((tx) => act(tx, { workflowId: id, actionId, actionType, by: 'Mona' }))
    await ask('retry', first!.id)
    await is(id, 'done done done')
    expect(effects).toEqual(['+1', '+2', '+3'])
  })

  it('undoes its actions, last first', async () => {
    await run()
    const plan = steps(3).map((s, i) => (i === 2 ? { ...s, name: 'test.unheard-of' } : s))
    const id = await begin(t.app.db, { plan })
    await is(id, 'done done blocked')
    const third = (await actionsOf(t.app.db, id))[2]
    const asked = { workflowId: id, by: 'Mona', actionId: third!.id }
    await t.app.db.transaction((tx) => act(tx, { ...asked, actionType: 'rollback' }))
    await is(id, 'pending pending blocked') // an unknown action cannot be undone
    await t.app.db.transaction((tx) => act(tx, { ...asked, actionType: 'skip', reason: 'it never was' }))
    await is(id, 'undone undone skipped')
    expect(effects).toEqual(['+1', '+2', '-2', '-1'])
    expect((await workflowOf(t.app.db, id)).status).toBe('rolled-back')
  })

  it('repeats nothing after a crash: the next attempt inspects first', async () => {
    const worker = await run()
    const held = holdNext()
    const id = await begin(t.app.db, { plan: steps(1) })
    await held.reached
    stop = []
    await worker.stop()
    expect(await statusesOf(t.app.db, id)).toBe('unknown')
    held.open() // the old attempt wakes up: its fence is closed
    await letPass(50, 'the old attempt would have its effect by now')
    expect(effects).toEqual([])
    await run()
    await is(id, 'done')
    expect(effects).toEqual(['+1'])
  })

  it('releases a claimed action when it stops', async () => {
    const queue = await openQueue(t.app)
    const late = Promise.withResolvers<void>()
    const slow: typeof queue = {
      ...queue,
      async next(...asked) {
        const found = await queue.next(...asked)
        if (found.ops.length) await late.promise
        return found
      },
    }
    const runner = startRunner(t.app, slow)
    const id = await begin(t.app.db, { plan: steps(1) })
    await is(id, 'running')
    queue.close()
    const stopped = runner.stop()
    late.resolve()
    await stopped
    expect(await statusesOf(t.app.db, id)).toBe('unknown')
    await letPass(50, 'the old attempt would have its effect by now')
    expect(effects).toEqual([])
  })

  it('has no effect after its attempt was given to another worker', async () => {
    const queue = await openQueue(t.app)
    const runner = startRunner(t.app, queue, 600) // beats every 200 ms
    stop.push(async () => {
      queue.close()
      await runner.stop()
    })
    const held = holdNext()
    const id = await begin(t.app.db, { plan: steps(1) })
    const signal = await held.reached
    await t.app.db.execute(sql`update actions set attempt = 2 where workflow_id = ${id}`)
    await expect.poll(() => signal.aborted).toBe(true)
    held.open()
    await letPass(100, 'the attempt would have its effect by now')
    expect(effects).toEqual([])
    expect((await actionsOf(t.app.db, id))[0]).toMatchObject({ status: 'running', attempt: 2 })
  })

  it('has no effect after its lease ended during an outage', async () => {
    let away = false
    const cut: App['db'] = new Proxy(t.app.db, {
      get(db, key) {
        if (away && key === 'execute')
          return () => Promise.reject(Object.assign(new Error('cut'), { code: 'ECONNRESET' }))
        const value: unknown = Reflect.get(db, key)
        return typeof value === 'function' ? value.bind(db) : value
      },
    })
    const queue = await openQueue(t.app)
    const runner = startRunner({ ...t.app, db: cut }, queue, 600)
    const held = holdNext()
    const id = await begin(t.app.db, { plan: steps(1) })
    await held.reached
    away = true
    await letPass(1000, 'the lease of 600 ms ends')
    held.open()
    away = false
    await until(async () => Number((await actionsOf(t.app.db, id))[0]?.attempt) >= 2) // the next attempt inspects first
    await is(id, 'done')
    expect(effects).toEqual(['+1'])
    expect((await actionsOf(t.app.db, id))[0]?.output).not.toEqual({ inspected: true }) // not of the first attempt
    queue.close()
    await runner.stop()
  })

  it('does not repeat an effect that the inspection finds', async () => {
    const id = await begin(t.app.db, { plan: steps(1) })
    const [op] = await claim(t.app.db, null, 'short', 1) // as a worker that dies between the effect and the answer
    effects.push('+1')
    await t.app.db.execute(
      sql`update actions set lease_until = now() - interval '1 second' where action_id = ${op!.id}`,
    )
    await sweep(t.app.db)
    await run()
    await is(id, 'done')
    expect(effects).toEqual(['+1'])
    expect((await actionsOf(t.app.db, id))[0]).toMatchObject({ output: { inspected: true }, attempt: 2 })
  })

  it('runs one action per subject, even while an abandoned attempt still runs', async () => {
    const queue = await openQueue(t.app)
    const runner = startRunner(t.app, queue)
    stop.push(async () => {
      queue.close()
      await runner.stop()
    })
    const held = holdNext()
    const id = await begin(t.app.db, { plan: steps(1) })
    await held.reached
    await t.app.db.execute(sql`update actions set lease_until = now() - interval '1 second' where workflow_id = ${id}`)
    await sweep(t.app.db)
    await until(async () => (await actionsOf(t.app.db, id))[0]?.attempt === 2)
    await letPass(100, 'the attempt would have its effect by now')
    expect(effects).toEqual([]) // the second waits for the first
    held.open()
    await is(id, 'done')
    expect(effects).toEqual(['+1'])
  })

  it('leaves room for other actions when many of one name wait', async () => {
    await run()
    const held = holdNext()
    const ids: number[] = []
    for (let n = 0; n < 30; n++) ids.push(await begin(t.app.db, { plan: steps(1) }))
    await held.reached
    const waiting = () => t.app.db.$count(actions, sql`name = 'test.note' and status = 'running'`)
    await until(async () => (await waiting()) >= 12)
    await is(await begin(t.app.db, { plan: [step(other, {}, { server: null, resource })] }), 'done')
    expect(await waiting()).toBeLessThan(16)
    held.open()
    for (const id of ids) await is(id, 'done')
  })

  it('stops without waiting for running actions', async () => {
    const worker = await run()
    const held = holdNext()
    await begin(t.app.db, { plan: steps(1) })
    await held.reached
    stop = []
    await worker.stop()
    expect(effects).toEqual([])
    held.open()
  })
})

describe('a live read', () => {
  it('returns the agent’s result, and leaves no row', async () => {
    const server = await enrolled(t.app.db, 'web-1')
    const before = await t.app.db.$count(workflows)
    const asked = liveRead(t.app, server, 'server.inspect', {})
    await until(async () => {
      const [op] = await claim(t.app.db, server, 'read', 1)
      if (op) await finish(t.app.db, server, [{ id: op.id, attempt: op.attempt, status: 'done', output: { load: 1 } }])
      return op !== undefined
    })
    expect(await asked).toEqual({ load: 1 })
    expect(await t.app.db.$count(workflows)).toBe(before)
    expect(await t.app.db.$count(actions, sql`lane = 'read'`)).toBe(0)
  })
  it('fails at once when the server is offline', async () => {
    const server = await enrolled(t.app.db, 'web-2')
    await t.app.db.execute(
      sql`update server_states set last_seen_at = now() - interval '1 hour' where server_id = ${server}`,
    )
    await expect(liveRead(t.app, server, 'server.inspect', {})).rejects.toMatchObject({ status: 503 })
  })
  describe('of a slow server', () => {
    const usual = { ...patience }
    beforeEach(() => void Object.assign(patience, { takenMs: 200, answerMs: 300, quickMs: 200, sayMs: 100 }))
    afterEach(() => void Object.assign(patience, usual))
    const answer = (server: number, op: { id: number; attempt: number }, output: object) =>
      finish(t.app.db, server, [{ id: op.id, attempt: op.attempt, status: 'done', output }])

    it('fails when nobody takes a question that changes something, and withdraws it', async () => {
      const server = await enrolled(t.app.db, 'web-3')
      const act = { queueId: 'ABC123DEF', act: 'retry' } as const
      await expect(liveRead(t.app, server, 'mail-queue.act', act)).rejects.toThrow('web-3 is slow and has not answered')
      expect(await claim(t.app.db, server, 'read', 1)).toEqual([])
    })
    it('keeps a late answer for whoever asks again, once', async () => {
      const server = await enrolled(t.app.db, 'web-slow')
      const before = await t.app.db.$count(workflows)
      await expect(liveRead(t.app, server, 'server.inspect', {})).rejects.toThrow('Ask again for its answer')
      const [op] = await claim(t.app.db, server, 'read', 1)
      await expect(liveRead(t.app, server, 'server.inspect', {})).rejects.toMatchObject({ status: 503 })
      expect(await claim(t.app.db, server, 'read', 1)).toEqual([]) // the same question is not asked twice
      await answer(server, op!, { load: 48 })
      expect(await liveRead(t.app, server, 'server.inspect', {})).toEqual({ load: 48 })
      expect(await t.app.db.$count(workflows)).toBe(before)
    })
    it('is shared by callers who ask the same at once', async () => {
      const server = await enrolled(t.app.db, 'web-shared')
      patience.answerMs = 10_000
      const all = [liveRead(t.app, server, 'server.inspect', {}), liveRead(t.app, server, 'server.inspect', {})]
      await until(async () => {
        const ops = await claim(t.app.db, server, 'read', 5)
        for (const op of ops) await answer(server, op, { load: 2 })
        return ops.length > 0
      })
      expect(await Promise.all(all)).toEqual([{ load: 2 }, { load: 2 }])
      expect(await t.app.db.$count(workflows, sql`kind = 'live-read'`)).toBe(0)
    })
    it('is waited for by an action while the agent works, which says so', async () => {
      const server = await enrolled(t.app.db, 'web-action')
      const said: string[] = []
      const work = { ...({ app: t.app, task: 'run', fence() {} } as const), say: (text: string) => said.push(text) }
      const signal = new AbortController().signal
      const asked = atWork({ ...work, signal }, () => liveRead(t.app, server, 'server.inspect', {}))
      const ops: { id: number; attempt: number }[] = []
      await until(async () => {
        ops.push(...(await claim(t.app.db, server, 'read', 1)))
        return ops.length > 0
      })
      await until(async () => said.length > 1) // longer than a call would wait
      await answer(server, ops[0]!, { load: 3 })
      expect(await asked).toEqual({ load: 3 })
      expect(said[0]).toContain('waits for an answer of web-action')
    })
    it('is withdrawn when nobody comes for its answer', async () => {
      const server = await enrolled(t.app.db, 'web-left')
      await expect(liveRead(t.app, server, 'server.inspect', {})).rejects.toMatchObject({ status: 503 })
      await t.app.db.execute(
        sql`update workflows set started_at = now() - interval '16 minutes' where kind = 'live-read'`,
      )
      await sweepReads(t.app.db)
      expect(await claim(t.app.db, server, 'read', 1)).toEqual([])
    })
  })
})

describe('old data', () => {
  it('is deleted: lines after 90 days, workflows after a year, heartbeats after a week', async () => {
    const server = await enrolled(t.app.db, 'web-4')
    const [old, recent] = [await begin(t.app.db, { plan: steps(1) }), await begin(t.app.db, { plan: steps(1) })]
    for (const op of await claim(t.app.db, null, 'short', 5)) await finish(t.app.db, null, [{ ...op, status: 'done' }])
    for (const id of [old, recent]) {
      const [action] = await actionsOf(t.app.db, id)
      const line = { actionId: action!.id, attempt: 1, text: 'x' }
      await t.app.db.insert(actionOutputs).values([
        { ...line, seq: 0, at: sql`now() - interval '91 days'` },
        { ...line, seq: 1, at: sql`now() - interval '89 days'` },
      ])
    }
    for (const [id, days] of [
      [old, 366],
      [recent, 364],
    ] as const)
      await t.app.db.execute(sql`update workflows set started_at = now() - make_interval(days => ${days}::int),
        ended_at = now() - make_interval(days => ${days}::int) where workflow_id = ${id}`)
    const figures = { serverId: server, cores: 1, load: 1, memoryTotal: 1, memoryUsed: 1, diskTotal: 1, diskUsed: 1 }
    await t.app.db.insert(heartbeats).values([
      { ...figures, at: sql`now() - interval '8 days'` },
      { ...figures, at: sql`now() - interval '6 days'` },
    ])
    const points = await t.app.db.$count(heartbeats)
    await retain(t.app)
    expect(await t.app.db.$count(workflows, sql`workflow_id in (${old}, ${recent})`)).toBe(1)
    expect(await workflowOf(t.app.db, recent)).toBeDefined()
    expect(await t.app.db.$count(actionOutputs, sql`text = 'x'`)).toBe(1)
    expect(await t.app.db.$count(heartbeats)).toBe(points - 1)
  })
})
