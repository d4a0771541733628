import type { Answer, Op } from '@innkeeper/contract/agent/door'
import { expect, test } from 'vitest'
import { answersTo } from './answers.ts'

const op = (id: number, attempt = 1): Op => ({
  ...{ id, attempt, name: 'nginx.ensure', subject: 'x', lane: 'short', task: 'run', inspect: false, input: {} },
})
const answer = (id: number, attempt = 1, reason = ''): Answer => ({ id, attempt, status: 'done', reason })

/** An agent API whose agent sends these answers one by one after it received an operation. */
function telling(answers: Answer[]) {
  const heard = { answers: [answer(1)] }
  const ready: Op[] = []
  const timer = setInterval(() => {
    const next = ready.length ? answers.shift() : undefined
    if (next) heard.answers.push(next)
  }, 2)
  return { ready, heard, end: () => clearInterval(timer) }
}

test('a repeated answer to an earlier operation is ignored', async () => {
  const door = telling([answer(1), answer(2), answer(2), answer(3, 1, 'run'), answer(3, 2, 'undo')])
  const answers = await answersTo([op(2), op(3, 2)], door, () => true)
  door.end()
  expect(answers).toEqual([answer(2), answer(3, 2, 'undo')])
})

test('an exited agent is distinguished from a slow one', async () => {
  const door = telling([answer(2)])
  const asked = answersTo([op(2), op(3)], door, () => door.heard.answers.length < 2)
  await expect(asked).rejects.toThrow('without answering 3/1')
  door.end()
})
