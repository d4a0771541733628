import { wishKinds } from '@innkeeper/contract/planning/shifts/values'
import { expect, it } from 'vitest'
import { wishKindsShown, wishText } from './words.ts'

it('says for which shifts and days a wish is, and nothing if it is for all', () => {
  expect(wishText({ shiftTypeName: 'Late', weekdays: [3, 5] })).toBe('Late, Wednesdays and Fridays')
  expect(wishText({ shiftTypeName: null, weekdays: [1, 2, 7] })).toBe('Mondays, Tuesdays and Sundays')
  expect(wishText({ shiftTypeName: 'Night', weekdays: [] })).toBe('Night')
  expect(wishText({ shiftTypeName: null, weekdays: [] })).toBe('')
})

it('has words and a letter of its own for each kind, because colours alone say nothing to some people', () => {
  expect(Object.keys(wishKindsShown()).toSorted()).toEqual([...wishKinds].toSorted())
  const shown = Object.values(wishKindsShown())
  expect(new Set(shown.map(({ short }) => short)).size).toBe(shown.length)
  expect(new Set(shown.map(({ word }) => word)).size).toBe(shown.length)
})
