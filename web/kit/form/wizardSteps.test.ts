import { expect, test } from 'vitest'
import { isAvailable, shownStep } from './wizardSteps.ts'

test('a step is disabled until all earlier steps are complete', () => {
  const done = [true, false, false]
  expect([0, 1, 2].map((step) => isAvailable(done, step))).toEqual([true, true, false])
})
test('a step that becomes unavailable is replaced by the incomplete one', () => {
  expect(shownStep([true, false, true], 2)).toBe(1)
  expect(shownStep([true, true, false], 2)).toBe(2)
  expect(shownStep([true, true], 9)).toBe(1)
  expect(shownStep([false], -1)).toBe(0)
})
