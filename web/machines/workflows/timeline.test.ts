import type { Action } from '@innkeeper/contract/machines/workflows'
import { expect, test } from 'vitest'
import { lineOf, timesOf } from './timeline.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const action = (id: number, more: Partial<Action>): Action => ({
  ...{ id, workflowId: 1, position: id, name: 'x.ensure', title: `Step ${id}`, what: '', resourceType: 'x' },
  ...{ resourceId: 1, serverId: 1, serverName: 'web-1', lane: 'short', status: 'done', task: 'run', attempt: 1 },
  ...{ reason: null, input: {}, output: null, readyAt: null, startedAt: null, endedAt: null },
  ...more,
})
const done = (id: number, ready: number, started: number, ended: number, more: Partial<Action> = {}) =>
  action(id, { readyAt: at(ready), startedAt: at(started), endedAt: at(ended), ...more })

test('a running action extends to now, and a ready one waits until now', () => {
  const running = action(1, { status: 'running', readyAt: at(0), startedAt: at(1) })
  expect(timesOf(running, 10_000)).toEqual({ from: 0, started: 1000, to: 10_000 })
  const again = action(2, { status: 'ready', readyAt: at(5), startedAt: at(2), endedAt: at(3), attempt: 2 })
  expect(timesOf(again, 10_000)).toEqual({ from: 5000, started: 10_000, to: 10_000 })
})

test('an ended action keeps its times', () => {
  expect(timesOf(done(1, 0, 10, 40), 99_000)).toEqual({ from: 0, started: 10_000, to: 40_000 })
})

test('an action has no times before it starts, and none if it was skipped', () => {
  expect(timesOf(action(3, { status: 'pending' }), 1000)).toBeUndefined()
  expect(timesOf(action(3, { status: 'skipped', readyAt: at(1) }), 1000)).toBeUndefined()
})

test('the line of an action has its state, its attempts and the actions that it blocks', () => {
  const failed = done(1, 0, 0, 1, { status: 'failed', attempt: 3 })
  expect(lineOf(failed, [failed, action(2, { status: 'pending' }), action(3, { status: 'pending' })])).toBe(
    'Step 1, failed, 3 attempts, holds up Step 2 and Step 3',
  )
  expect(lineOf(done(4, 0, 0, 1, { task: 'undo', status: 'undone' }), [])).toBe('Step 4, undone, rolled back')
})
