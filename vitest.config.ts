import { availableParallelism, totalmem } from 'node:os'
import { defineConfig } from 'vitest/config'
import { bundledTexts } from './agent/bundled.ts'
import { LongestFirst, timed } from './bin/order.ts'

/** Two at least: a file waits nearly half of its time, for its database or for a clock. */
const maxWorkers = Math.max(2, availableParallelism() - 1)

/** Files of the server keep a processor busy, and hosts run beside them. */
const serverWorkers = Math.max(2, availableParallelism())

/**
 * Files on practice hosts wait for hosts and for clocks half of their time. Each file has hosts of its own, and some have a browser
 * and an Innkeeper: with those, a worker takes a gigabyte and a half. With more workers beside the server's, calls of people take
 * longer than a page waits for them.
 */
const hostWorkers = Math.max(2, Math.min(availableParallelism() + 1, Math.floor(totalmem() / 1.5e9) - 1))
/**
 * A busy machine is late, not wrong: a poll or a test that fails takes longer, one that succeeds does not. Only tests that measure
 * time have limits of their own.
 */
const late = { testTimeout: 1_800_000, hookTimeout: 1_800_000, expect: { poll: { timeout: 240_000, interval: 100 } } }

/** A look at a host starts programs in it. */
const onHosts = { ...late, expect: { poll: { ...late.expect.poll, interval: 250 } } }

/** One project per program; `npm test -- dns` runs the test files with dns in their path. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'contract', include: ['contract/**/*.test.ts'], ...late, maxWorkers } },
      { test: { name: 'client', include: ['client/**/*.test.ts'], ...late, maxWorkers } },
      { test: { name: 'bin', include: ['bin/**/*.test.ts'], ...late, maxWorkers } },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          ...late,
          pool: 'forks',
          isolate: false, // loading the server takes two seconds, so files share a process and undo their patches
          maxWorkers: serverWorkers,
        },
      },
      { test: { name: 'web', include: ['web/**/*.test.ts'], ...late, maxWorkers } },
      { test: { name: 'lab', include: ['lab/**/*.test.ts'], ...late, fileParallelism: false } },
      {
        plugins: [bundledTexts()],
        test: {
          name: 'agent',
          include: ['agent/**/*.test.ts'],
          ...onHosts,
          globalSetup: 'lab/standing.ts',
          maxWorkers: hostWorkers,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: timed,
          ...onHosts,
          globalSetup: 'lab/standing.ts',
          maxWorkers: hostWorkers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'e2e timed',
          include: timed,
          ...onHosts,
          globalSetup: 'lab/standing.ts',
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
