import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { bundledTexts } from './agent/bundled.ts'

/** Two at least: a file waits nearly half of its time, for its database or for a clock. */
const maxWorkers = Math.max(2, availableParallelism() - 1)

/** Files on practice hosts wait for hosts, for packages and for clocks most of their time. Each file has hosts of its own. */
const hostWorkers = 2
/** Hooks start hosts and fill Innkeeper: on a busy machine for minutes. */
const hookTimeout = 600_000

/** Files with limits of time that people notice: one after the other, with nothing beside them. */
const timed = ['e2e/nodes/*.test.ts', 'e2e/start.test.ts']

/** One project per program; `npm test -- dns` runs the test files with dns in their path. */
/** A busy machine is late, not wrong: a poll that fails takes longer, one that succeeds does not. */
const expect = { poll: { timeout: 30_000 } }

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'contract', include: ['contract/**/*.test.ts'], maxWorkers } },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          expect,
          testTimeout: 180_000, // what takes this long waits for something that does not come
          hookTimeout: 300_000,
          pool: 'forks',
          isolate: false, // loading the server takes two seconds, so files share a process and undo their patches
          maxWorkers,
        },
      },
      { test: { name: 'web', include: ['web/**/*.test.ts'], testTimeout: 120_000, maxWorkers } },
      {
        test: {
          name: 'lab',
          include: ['lab/**/*.test.ts'],
          expect,
          testTimeout: 120_000,
          hookTimeout,
          fileParallelism: false,
        },
      },
      {
        plugins: [bundledTexts()],
        test: {
          name: 'agent',
          include: ['agent/**/*.test.ts'],
          expect,
          testTimeout: 120_000,
          hookTimeout,
          globalSetup: 'lab/standing.ts',
          maxWorkers: hostWorkers,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          expect,
          exclude: timed,
          testTimeout: 300_000,
          hookTimeout,
          globalSetup: 'lab/standing.ts',
          maxWorkers: hostWorkers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'e2e timed',
          include: timed,
          expect,
          testTimeout: 300_000,
          hookTimeout,
          globalSetup: 'lab/standing.ts',
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
