import type { Op } from '@innkeeper/contract/agent/door'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { letPass } from '../bin/pass.ts'
import { openDoor } from './door.ts'
import { drivers } from './drivers/drivers.ts'
import { type Journal, openJournal } from './journal.ts'
import type { Context, Driver, Drivers } from './kit/driver.ts'
import { chunksPerAttempt, cutMark } from './outbox.ts'
import { runner } from './runner.ts'
import { type Peer, peer } from './test/peer.ts'

type Fake = Driver<'packages.ensure'>
let hub: Peer
let journal: Journal
let running: ReturnType<typeof runner> | undefined

beforeEach(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true) // the agent's own log
  journal = openJournal(':memory:')
})
afterEach(async () => {
  await running?.stop(2000)
  running = undefined
  await hub.close()
  journal.close()
  vi.restoreAllMocks()
})

/** Starts an agent whose driver of `packages.ensure` is replaced; everything else is real. */
async function begin(fake: Partial<Fake>, leaseMs = 30_000, up?: Promise<void>): Promise<void> {
  hub = await peer('127.0.0.1', leaseMs)
  hub.heard.credentials.add('c'.repeat(43))
  const driver: Fake = { run: async () => undefined, undo: async () => undefined, inspect: async () => 'no', ...fake }
  const all: Drivers = { ...drivers, 'packages.ensure': driver }
  running = runner(openDoor(hub.url, hub.pin, 'c'.repeat(43)), all, journal, up)
}
const op = (id: number, more: Partial<Op> = {}): Op => ({
  id,
  attempt: 1,
  name: 'packages.ensure',
  subject: `website:${id}`,
  lane: 'short',
  task: 'run',
  inspect: false,
  input: { packages: ['nginx-light'] },
  ...more,
})
type Ctx = Context<'packages.ensure'>

test('starts nothing before the machine is up, and then runs the waiting work', async () => {
  const up = Promise.withResolvers<void>()
  const ran: number[] = []
  await begin({ run: async ({ actionId }: Ctx) => void ran.push(actionId) }, 30_000, up.promise)
  hub.ready.push(op(1))
  await letPass(300, 'the runner would have started by now')
  expect(ran).toEqual([])
  up.resolve()
  expect(await hub.answer(1)).toMatchObject({ status: 'done' })
  expect(ran).toEqual([1])
})

test('runs an operation, and reports its lines and its answer', async () => {
  await begin({
    run: async ({ say, input }: Ctx) => {
      say(`adding ${input.packages}`)
      return { fine: true }
    },
  })
  hub.ready.push(op(1))
  expect(await hub.answer(1)).toEqual({ id: 1, attempt: 1, status: 'done', output: { fine: true } })
  expect(hub.heard.chunks).toMatchObject([{ id: 1, attempt: 1, seq: 0, text: 'adding nginx-light' }])
})

test('answers a repeat without running it again', async () => {
  const run = vi.fn(async () => ({ n: 1 }))
  await begin({ run })
  hub.ready.push(op(1))
  await hub.answer(1)
  hub.heard.answers.length = 0
  hub.ready.push(op(1))
  expect(await hub.answer(1)).toMatchObject({ status: 'done', output: { n: 1 } })
  expect(run).toHaveBeenCalledTimes(1)
})

test('runs operations of one subject one after the other, and others in parallel', async () => {
  const log: string[] = []
  const third = Promise.withResolvers<void>()
  await begin({
    run: async ({ actionId }: Ctx) => {
      log.push(`+${actionId}`)
      if (actionId === 3) third.resolve()
      else await Promise.all([third.promise, letPass(150, 'the other operation of the subject could start')])
      log.push(`-${actionId}`)
    },
  })
  hub.ready.push(op(1, { subject: 'a' }), op(2, { subject: 'a' }), op(3, { subject: 'b' }))
  await Promise.all([hub.answer(1), hub.answer(2), hub.answer(3)])
  expect(log.indexOf('+2')).toBeGreaterThan(log.indexOf('-1'))
  expect(log.indexOf('+3')).toBeLessThan(log.indexOf('-1'))
})

test('runs short work while long work runs', async () => {
  const short = Promise.withResolvers<void>()
  let running = 0
  await begin({
    run: async ({ actionId }: Ctx) => {
      if (actionId > 2) return
      running++
      await short.promise
    },
  })
  hub.ready.push(op(1, { lane: 'long' }), op(2, { lane: 'long' }))
  await expect.poll(() => running).toBe(2)
  hub.ready.push(op(3))
  await hub.answer(3)
  expect(hub.heard.answers).toHaveLength(1)
  short.resolve()
})

test('stops an attempt before its effect when its lease ends, and answers unknown', async () => {
  const effects: number[] = []
  await begin(
    {
      run: async ({ actionId, fence }: Ctx) => {
        await letPass(600, 'longer than the lease')
        fence()
        effects.push(actionId)
      },
    },
    300,
  )
  // no report is accepted
  hub.state.refuse = ({ answers }) => (answers.length ? undefined : { status: 503, body: { message: 'away' } })
  hub.ready.push(op(1))
  expect(await hub.answer(1)).toMatchObject({ status: 'unknown', reason: 'The lease ended before the effect' })
  expect(effects).toEqual([])
})

test('stops an attempt before its effect when the control plane has dropped it', async () => {
  const effects: number[] = []
  await begin(
    {
      run: async ({ actionId, fence }: Ctx) => {
        // the report after a third of the lease names the attempt, long before the lease ends
        for (const end = performance.now() + 2900; performance.now() < end; await letPass(20, 'between two looks'))
          fence()
        effects.push(actionId)
      },
    },
    3000,
  )
  hub.state.gone = [{ id: 1, attempt: 1 }]
  hub.ready.push(op(1))
  expect(await hub.answer(1)).toMatchObject({ status: 'unknown' })
  expect(effects).toEqual([])
})

test('renews the lease during an operation', async () => {
  await begin({ run: async ({ fence }: Ctx) => void (await letPass(2500, 'longer than the lease').then(fence)) }, 2000)
  hub.ready.push(op(1))
  expect(await hub.answer(1)).toMatchObject({ status: 'done' })
})

test('inspects first when in doubt: done stays done, not done is run, unknown waits for a person', async () => {
  const run = vi.fn(async () => undefined)
  const effects: Record<number, 'yes' | 'no' | 'unknown'> = { 1: 'yes', 2: 'no', 3: 'unknown' }
  await begin({ run, inspect: async ({ actionId }: Ctx) => effects[actionId] ?? 'unknown' })
  hub.ready.push(op(1, { inspect: true }), op(2, { inspect: true }), op(3, { inspect: true }))
  expect(await hub.answer(1)).toMatchObject({ status: 'done', output: { inspected: true } })
  expect(await hub.answer(2)).toMatchObject({ status: 'done' })
  expect(await hub.answer(3)).toMatchObject({ status: 'blocked' })
  expect(run).toHaveBeenCalledTimes(1)
})

test('reports the reason of a failure', async () => {
  await begin({ run: () => Promise.reject(new Error('no room on the disk')) })
  hub.ready.push(op(1))
  expect(await hub.answer(1)).toMatchObject({ status: 'failed', reason: 'no room on the disk' })
})

test('blocks an unknown operation, and refuses a hostile value', async () => {
  const run = vi.fn(async () => undefined)
  await begin({ run })
  hub.ready.push(op(1, { name: 'shell.run' }), op(2, { input: { packages: ['x;id'] } }), op(3, { name: 'constructor' }))
  expect(await hub.answer(1)).toMatchObject({ status: 'blocked' })
  expect(await hub.answer(2)).toMatchObject({ status: 'failed', reason: expect.stringContaining('refuses') })
  expect(await hub.answer(3)).toMatchObject({ status: 'blocked' })
  expect(run).not.toHaveBeenCalled()
})

test('cuts the lines of an attempt at the limit, with one mark', async () => {
  await begin({
    run: async ({ say }: Ctx) => {
      for (let n = 0; n < 400; n++) say(`line ${n}`)
    },
  })
  hub.ready.push(op(1))
  await hub.answer(1)
  expect(hub.heard.chunks).toHaveLength(chunksPerAttempt)
  expect(hub.heard.chunks.at(-1)?.text).toBe(cutMark)
})

test('splits a long line, and removes NUL and half characters', async () => {
  await begin({ run: async ({ say }: Ctx) => say(`${'a'.repeat(5000)}\0b\ud800`) })
  hub.ready.push(op(1))
  await hub.answer(1)
  expect(hub.heard.chunks.map(({ text }) => text.length)).toEqual([4096, 906])
  expect(hub.heard.chunks[1]?.text.endsWith('ab\ufffd')).toBe(true)
})

test('replaces a refused answer by a readable one, without blocking later answers', async () => {
  await begin({ run: async ({ actionId }: Ctx) => ({ actionId }) })
  hub.state.refuse = ({ answers }) =>
    answers.some(({ id, status }) => id === 2 && status === 'done')
      ? { status: 413, body: { message: 'too large' } }
      : undefined
  hub.ready.push(op(1), op(2), op(3))
  expect(await hub.answer(1)).toMatchObject({ status: 'done' })
  expect(await hub.answer(3)).toMatchObject({ status: 'done' })
  expect(await hub.answer(2)).toMatchObject({ status: 'blocked', reason: expect.stringContaining('too large') })
})

test('sends unsent answers after a restart', async () => {
  await begin({})
  let refused = 0
  hub.state.refuse = ({ answers }) =>
    answers.length && ++refused ? { status: 503, body: { message: 'away' } } : undefined
  hub.ready.push(op(1))
  await expect.poll(() => refused).toBeGreaterThan(0)
  await running?.stop(100)
  hub.state.refuse = () => undefined
  running = runner(openDoor(hub.url, hub.pin, 'c'.repeat(43)), drivers, journal)
  expect(await hub.answer(1)).toMatchObject({ status: 'done' })
})

test('waits at a stop for running operations, and reports them', async () => {
  const run = vi.fn(async () => void (await letPass(400, 'the operation takes time')))
  await begin({ run })
  hub.ready.push(op(1))
  await expect.poll(() => run.mock.calls.length).toBeGreaterThan(0)
  await running?.stop(30_000)
  expect(hub.heard.answers).toMatchObject([{ id: 1, status: 'done' }])
})

test('does nothing with a revoked credential, and retries slowly', async () => {
  await begin({})
  await expect.poll(() => hub.heard.waiting).toBe(3) // a claim for each lane
  hub.state.revoked = true
  await expect.poll(() => hub.heard.refused).toBe(3)
  hub.ready.push(op(1))
  const before = hub.heard.calls
  await letPass(1200, 'a quick retry would have come by now')
  expect(hub.heard.calls - before).toBeLessThanOrEqual(3)
  expect(hub.ready).toHaveLength(1)
})

/** A journal whose next `times` writes of this kind fail on a full disk. */
function fullFor(times: number, which: 'begin' | 'end'): void {
  const real = journal
  const full = () => {
    throw new Error('database or disk is full')
  }
  const write = real[which].bind(real) as (...asked: never[]) => never // either method, with its arguments
  journal = { ...real, [which]: (...asked: never[]) => (times-- > 0 ? full() : write(...asked)) }
}

test('refuses an operation that the journal cannot record', async () => {
  fullFor(1, 'begin')
  const begun: number[] = []
  await begin({ run: async ({ actionId }: Ctx) => void begun.push(actionId) })
  hub.ready.push(op(1))
  expect(await hub.answer(1)).toMatchObject({ status: 'failed', reason: expect.stringContaining('disk is full') })
  hub.ready.push(op(2))
  expect(await hub.answer(2)).toMatchObject({ status: 'done' })
  expect(begun).toEqual([2])
})

test('reports an end once the journal has room to record it', async () => {
  fullFor(1, 'end')
  await begin({})
  hub.ready.push(op(1))
  expect(await hub.answer(1)).toMatchObject({ status: 'done' })
  // an entry is deleted once its answer is acknowledged
  await expect.poll(() => journal.left()).toEqual([])
})
