import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { letPass } from '../../../bin/pass.ts'
import type { App } from './app.ts'
import { rememberSlow } from './rememberSlow.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A computation that takes `ms` and answers how often it has run. `read` advances the time until it has its answer. */
function counting(ms: number) {
  const failed = vi.fn()
  const app = { log: { error: failed } } as unknown as App // the only member that the function uses
  const state = { ms, runs: 0 }
  const start = rememberSlow(async () => {
    const n = ++state.runs
    await letPass(state.ms, 'the value takes time')
    if (n === 3) throw new Error('the database is away')
    return n
  })
  const begin = async () => (await start(app)).value
  const read = async () => {
    const answer = begin()
    answer.catch(() => {}) // thrown to the caller below
    await vi.advanceTimersByTimeAsync(state.ms)
    return answer
  }
  return { state, failed, begin, read }
}

it('computes a quick result for each call', async () => {
  const { read } = counting(20)
  expect([await read(), await read()]).toEqual([1, 2])
})

it('shares the first computation once it is slow', async () => {
  const { begin, state } = counting(2000)
  const first = begin()
  await vi.advanceTimersByTimeAsync(600)
  const second = begin()
  await vi.advanceTimersByTimeAsync(2000)
  expect([await first, await second, state.runs]).toEqual([1, 1, 1])
})

it('answers a slow result again, and computes the next one meanwhile, once', async () => {
  const { begin, read, state, failed } = counting(2000)
  expect([await read(), await begin()]).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(60_000)
  expect([await begin(), await begin(), state.runs]).toEqual([1, 1, 2])
  await vi.advanceTimersByTimeAsync(2000)
  expect([await begin(), state.runs]).toEqual([2, 2])
  await vi.advanceTimersByTimeAsync(61_000)
  expect(await begin()).toBe(2)
  await vi.advanceTimersByTimeAsync(2000)
  expect([failed.mock.calls.length, await begin()]).toEqual([1, 2]) // the third run fails: the second result stays
})

it('waits for a new result after ten minutes, and computes for each call once that is quick', async () => {
  const { read, state } = counting(2000)
  await read()
  state.ms = 20
  await vi.advanceTimersByTimeAsync(601_000)
  expect(await read()).toBe(2)
  await expect(read()).rejects.toThrow('the database is away')
  expect(await read()).toBe(4)
})
