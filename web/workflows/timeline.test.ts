import type { Action } from '@innkeeper/contract/workflows'
import { expect, test } from 'vitest'
import { lineOf, timelineOf } from './timeline.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const action = (id: number, more: Partial<Action>): Action => ({
  ...{ id, workflowId: 1, position: id, name: 'x.ensure', title: `Step ${id}`, what: '', resourceType: 'x' },
  ...{ resourceId: 1, serverId: 1, serverName: 'web-1', lane: 'short', status: 'done', task: 'run', attempt: 1 },
  ...{ reason: null, input: {}, output: null, readyAt: null, startedAt: null, endedAt: null },
  ...more,
})
const done = (id: number, ready: number, started: number, ended: number, more: Partial<Action> = {}) =>
  action(id, { readyAt: at(ready), startedAt: at(started), endedAt: at(ended), ...more })

test('waiting and running stand side by side, on one scale from the first to the last', () => {
  const { bars, pauses } = timelineOf([done(1, 0, 10, 40), done(2, 40, 50, 100)], 0)
  expect(bars[0]).toMatchObject({ waited: { from: 0, to: 10 }, ran: { from: 10, to: 40 }, waitedMs: 10_000 })
  expect(bars[1]).toMatchObject({ waited: { from: 40, to: 50 }, ran: { from: 50, to: 100 }, ranMs: 50_000 })
  expect(pauses).toEqual([])
})

test('what runs reaches to now, what is ready waits until now, and what has no turn yet has no bar', () => {
  const running = action(1, { status: 'running', readyAt: at(0), startedAt: at(1) })
  const again = action(2, { status: 'ready', readyAt: at(5), startedAt: at(2), endedAt: at(3), attempt: 2 })
  const { bars } = timelineOf([running, again, action(3, { status: 'pending' })], 10_000)
  expect(bars[0]).toMatchObject({ ranMs: 9000, ran: { to: 100 } })
  expect(bars[1]).toMatchObject({ waitedMs: 5000, ranMs: 0, waited: { from: 50, to: 100 } })
  expect([bars[2]?.waited, bars[2]?.ran]).toEqual([undefined, undefined])
})

test('the hours in which a failed workflow waited for somebody are cut out, and said', () => {
  const { bars, pauses } = timelineOf([done(1, 0, 0, 50), done(2, 5 * 3600, 5 * 3600, 5 * 3600 + 50)], 0)
  expect(pauses).toEqual([{ at: expect.closeTo(51.5, 0), ms: 5 * 3_600_000 - 50_000 }])
  expect(bars[1]?.ran).toEqual({ from: expect.closeTo(51.5, 0), to: 100 })
})

test('a workflow of which nothing has begun yet has no bars, and no figure that is none', () => {
  const { bars } = timelineOf([action(1, { status: 'pending' })], 1000)
  expect(bars).toEqual([{ action: expect.anything(), waitedMs: 0, ranMs: 0 }])
})

test('the line of an action says its state, its attempts and what it holds up', () => {
  const failed = done(1, 0, 0, 1, { status: 'failed', attempt: 3 })
  expect(lineOf(failed, [failed, action(2, { status: 'pending' }), action(3, { status: 'pending' })])).toBe(
    'Step 1, failed, 3 attempts, holds up Step 2 and Step 3',
  )
  expect(lineOf(done(4, 0, 0, 1, { task: 'undo', status: 'undone' }), [])).toBe('Step 4, taken back, rolled back')
})
