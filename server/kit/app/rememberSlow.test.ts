import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { App } from './app.ts'
import { rememberSlow } from './rememberSlow.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An app, and a computation that takes `ms` and answers how often it has run. */
function counting(ms: number) {
  const failed = vi.fn()
  const app = { log: { error: failed } } as unknown as App // the only member that the function uses
  const state = { ms, runs: 0 }
  const read = rememberSlow(async () => {
    state.runs += 1
    const n = state.runs
    await vi.advanceTimersByTimeAsync(state.ms)
    return n
  })
  return { state, failed, read: async () => (await read(app)).value }
}

it('computes a quick result for each call', async () => {
  const { read } = counting(20)
  expect([await read(), await read(), await read()]).toEqual([1, 2, 3])
})

it('answers a slow result again, and computes the next one meanwhile, once', async () => {
  const { read, state } = counting(2000)
  expect([await read(), await read()]).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(5000)
  expect([await read(), state.runs]).toEqual([2, 2])
  await vi.advanceTimersByTimeAsync(601_000)
  expect(await Promise.all([read(), read()])).toEqual([3, 3])
})

it('computes for each call again when the computation has become quick', async () => {
  const { read, state } = counting(2000)
  await read()
  state.ms = 20
  await vi.advanceTimersByTimeAsync(601_000)
  expect([await read(), await read(), await read()]).toEqual([2, 3, 4])
})
