import type { Action, ActionStatus } from '@innkeeper/contract/machines/workflows'
import { expect, test } from 'vitest'
import { heldBy, heldUp, timeOf, verbsOf } from './actions.ts'

const now = new Date('2026-11-21T14:02:40Z')
const action = (position: number, status: ActionStatus, some: Partial<Action> = {}): Action => ({
  id: position,
  workflowId: 1,
  position,
  name: 'website.nginx',
  title: 'nginx site',
  what: '',
  resourceType: 'website',
  resourceId: 1,
  serverId: 1,
  serverName: 'web-1',
  lane: 'short',
  status,
  task: 'run',
  attempt: 1,
  reason: null,
  input: {},
  output: null,
  readyAt: null,
  startedAt: '2026-11-21T14:02:06Z',
  endedAt: null,
  ...some,
})

test('only a stopped action offers verbs', () => {
  expect(verbsOf(action(1, 'failed')).map(({ label }) => label)).toEqual([
    'Retry',
    'Retry from here',
    'Skip…',
    'Mark done…',
    'Roll back…',
  ])
  const calm: ActionStatus[] = ['pending', 'ready', 'running', 'done', 'skipped', 'undone']
  expect(calm.flatMap((status) => verbsOf(action(1, status)))).toEqual([])
})

test('a failed action blocks the waiting actions behind it, but not skipped ones', () => {
  const all = [action(1, 'done'), action(2, 'failed'), action(3, 'skipped'), action(4, 'pending')]
  expect(heldUp(action(2, 'failed'), all).map(({ position }) => position)).toEqual([4])
  expect(heldUp(action(1, 'done'), all)).toEqual([])
})

test.each([
  [action(1, 'running'), '34 s'],
  [action(1, 'done', { endedAt: '2026-11-21T14:02:08Z' }), '2 s'],
  [action(1, 'failed', { endedAt: '2026-11-21T14:02:40Z' }), 'Failed after 34 s'],
  [action(1, 'done', { startedAt: null }), 'Done'],
  [action(1, 'undone'), 'Rolled back'],
  [action(1, 'pending', { startedAt: null }), 'Pending'],
])('an action shows its duration, or its state', (one, text) => {
  expect(timeOf(one, now)).toBe(text)
})

test('a pause offers Resume or Roll back beside the next action, in the workflow’s direction', () => {
  const actions = [action(1, 'done'), action(2, 'pending'), action(3, 'pending')]
  const held = heldBy({ paused: true, undo: false }, actions)
  expect(actions.map((one) => verbsOf(one, held).map(({ label }) => label))).toEqual([[], ['Go on', 'Roll back…'], []])
  expect(heldBy({ paused: true, undo: true }, actions)?.id).toBe(3)
  expect(heldBy({ paused: false, undo: false }, actions)).toBeUndefined()
})
