import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { durations, openGreen } from './green.ts'
import { contractOf, inputsOfHosts } from './inputs.ts'
import { isWhole } from './slice.ts'

const DAY = 86_400_000
const files = Array.from({ length: 20 }, (_, n) => `agent/file${n}.test.ts`)
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'innkeeper-green-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a file that was green with the same inputs counts for a week, except the tenth of the slice', () => {
  const now = Date.now()
  openGreen('inputs', folder, now).keep(files)
  const kept = (digest: string, days: number) => openGreen(digest, folder, now + days * DAY).among(files)
  expect(kept('inputs', 1)).toHaveLength(isWhole ? 0 : 18)
  expect(kept('inputs', 7.1)).toEqual([])
  expect(kept('other inputs', 0)).toEqual([])
  expect(openGreen('inputs', folder, now).among(['agent/new.test.ts', 'lab/new.test.ts'])).toEqual([])
})

test('results of former inputs are deleted; half a file counts as nothing', () => {
  const now = Date.now()
  openGreen('former', folder, now).keep(files)
  openGreen('inputs', folder, now + 8 * DAY).keep(files)
  expect(readdirSync(join(folder, 'green'))).toEqual(['inputs.json'])
  writeFileSync(join(folder, 'green/inputs.json'), '{"agent/f')
  expect(openGreen('inputs', folder, now).among(files)).toEqual([])
})

test('durations of several runs are kept together', () => {
  durations.keep({ one: 1, two: 2 }, folder)
  durations.keep({ two: 3 }, folder)
  expect(durations.read(folder)).toEqual({ one: 1, two: 3 })
})

test('the inputs include what the agent imports from the contract, directly or not, and the environment', async () => {
  const found = contractOf(['agent/drivers/drivers.ts', 'agent/test/practice.ts'])
  expect(found).toContain('contract/kit/values.ts')
  mkdirSync(join(folder, 'agent'))
  writeFileSync(join(folder, 'agent/wrong.ts'), `import type { X } from '${'@innkeeper'}/contract/nowhere'`)
  expect(() => contractOf([join(folder, 'agent/wrong.ts')])).toThrow('no file of the contract')
  const before = await inputsOfHosts()
  expect(await inputsOfHosts()).toBe(before)
  process.env.INNKEEPER_SOMETHING = 'new'
  try {
    expect(await inputsOfHosts()).not.toBe(before)
  } finally {
    delete process.env.INNKEEPER_SOMETHING
  }
})
