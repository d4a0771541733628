import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fullWatch } from './full.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const refused = (delay: string, why = 'unexpected HTTP response (507): 507 Insufficient Storage') =>
  `Save(<data/326ee4f050>) returned error, retrying after ${delay}: ${why}`

function run(lines: readonly (readonly [seconds: number, line: string])[], until: number): number | undefined {
  let stopped: number | undefined
  const from = performance.now()
  const watch = fullWatch(() => {
    stopped ??= Math.round((performance.now() - from) / 1000)
  })
  for (const [seconds, line] of lines) {
    vi.advanceTimersByTime(seconds * 1000 - (performance.now() - from))
    watch.see(line)
  }
  vi.advanceTimersByTime(until * 1000 - (performance.now() - from))
  watch.end()
  expect(watch.isFull()).toBe(stopped !== undefined)
  return stopped
}

test('a repository that has had no room for 90 s ends the backup', () => {
  const growing = [
    [10, refused('703.8ms')],
    [11, refused('11.9s')],
    [40, refused('47.05s')],
    [88, refused('1m0.15s')],
  ] as const
  expect(run(growing, 600)).toBe(100)
})

test('a retry that succeeded, and errors of another kind, do not end it', () => {
  expect(
    run(
      [
        [10, refused('703.8ms')],
        [11, refused('11.9s')],
      ],
      600,
    ),
  ).toBeUndefined()
  const away = refused('47s', 'dial tcp 10.0.0.1:8100: connect: connection refused')
  expect(
    run(
      [
        [10, away],
        [60, away],
        [150, away],
      ],
      600,
    ),
  ).toBeUndefined()
  // room in between: the time begins again
  expect(
    run(
      [
        [10, refused('20s')],
        [300, refused('20s')],
        [350, refused('20s')],
      ],
      380,
    ),
  ).toBeUndefined()
})

test('a slow answer that refuses after 90 s ends it', () => {
  expect(
    run(
      [
        [10, refused('2s')],
        [60, refused('10s')],
        [130, refused('60s')],
      ],
      600,
    ),
  ).toBe(130)
})
