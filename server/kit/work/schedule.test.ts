import pino from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { App } from '../app/app.ts'
import { repeat } from './schedule.ts'

const log = pino({ level: 'silent' })
const app = { log } as unknown as App // a schedule under test needs nothing else

beforeEach(() => void vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('ticks during a round are skipped, and no round begins after the stop', async () => {
  const rounds: PromiseWithResolvers<void>[] = []
  const stop = repeat(app, {
    name: 'slow',
    everyMs: 1000,
    work: () => {
      const round = Promise.withResolvers<void>()
      rounds.push(round)
      return round.promise
    },
  })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(rounds.length).toBe(1)
  rounds[0]!.resolve()
  await vi.advanceTimersByTimeAsync(1000)
  expect(rounds.length).toBe(2)
  await vi.advanceTimersByTimeAsync(10_000)
  const stopped = stop()
  rounds[1]!.resolve()
  await stopped
  await vi.advanceTimersByTimeAsync(10_000)
  expect(rounds.length).toBe(2)
})

it('a failed round is logged, and the next one runs', async () => {
  const logged = vi.spyOn(log, 'error')
  const work = vi.fn(() => {
    throw new Error('broken')
  })
  const stop = repeat(app, { name: 'broken', everyMs: 1000, work })
  await vi.advanceTimersByTimeAsync(2000)
  await stop()
  expect(work).toHaveBeenCalledTimes(3)
  expect(logged.mock.calls.map(([, name]) => name)).toEqual(['broken', 'broken', 'broken'])
})
