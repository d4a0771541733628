import type { Heartbeat } from '@innkeeper/contract/agent/door'
import { expect, test, vi } from 'vitest'
import { beating } from './beating.ts'
import { Away, type Door } from './door.ts'

const words = {} as Heartbeat // unused content

/** The calls that result from heartbeats of these durations in ms; null fails. */
async function beat(...took: (number | null)[]): Promise<string[]> {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true) // the agent's own log
  const stop = new AbortController()
  const happened: string[] = []
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  const door = {
    async ask() {
      const ms = took.shift()
      if (took.length === 0) stop.abort()
      if (ms === null) throw new Away('no answer in time')
      clock += ms ?? 0
      return {}
    },
  }
  await beating(door as Door, {
    say: async () => words,
    stopped: stop.signal,
    heard: () => happened.push('heard'),
    back: () => happened.push('back'),
    everyMs: 1,
    slowMs: 400,
  })
  vi.restoreAllMocks()
  return happened
}

test('reconnects after a failed heartbeat', async () => {
  expect(await beat(0, null, 0, 0)).toEqual(['heard', 'back', 'heard', 'heard'])
})

test('reconnects after a slow heartbeat followed by a fast one, but not to a busy control plane', async () => {
  expect(await beat(700, 0, 0)).toEqual(['heard', 'back', 'heard', 'heard'])
  expect(await beat(700, 700, 700)).toEqual(['heard', 'heard', 'heard'])
})
