import { expect, test } from 'vitest'
import { gradeByKey, NA, type Score, type ScoreType, sumUp } from './scores.ts'

const grades = [
  { id: 1, name: 'Poor', value: 0, needsComment: true },
  { id: 2, name: 'Good', value: 80 },
  { id: 3, name: 'Great', value: 100 },
]
const type = (id: number, weight: number, more: Partial<ScoreType> = {}): ScoreType => ({
  id,
  name: `Type ${id}`,
  weight,
  grades,
  ...more,
})
const given = (grade: Score['grade'], comment = ''): Score => ({
  ...(grade !== undefined && { grade }),
  comment,
  evidence: [],
})
const types = [type(1, 10), type(2, 30, { mayBeNA: true }), type(3, 60, { isCritical: true })]

test('a score is the weighted mean', () => {
  const sum = sumUp(types, { 1: given(3), 2: given(2), 3: given(3) })
  expect(sum.score).toBeCloseTo(94)
  expect(sum).toMatchObject({ rated: 3, missing: [], failed: [], uncommented: [] })
})

test('N/A and unrated types do not count', () => {
  expect(sumUp(types, { 1: given(2), 2: given(NA) })).toMatchObject({ score: 80, rated: 2, missing: ['Type 3'] })
})

test('all N/A and an empty sheet have no score', () => {
  expect(sumUp([type(2, 30, { mayBeNA: true })], { 2: given(NA) })).not.toHaveProperty('score')
  expect(sumUp(types, {})).toMatchObject({ rated: 0, missing: ['Type 1', 'Type 2', 'Type 3'] })
  expect(sumUp(types, {})).not.toHaveProperty('score')
})

test('a critical type with the value 0 makes the score 0, also without a weight', () => {
  expect(sumUp(types, { 1: given(3), 2: given(3), 3: given(1, 'No identity check') })).toMatchObject({
    score: 0,
    failed: ['Type 3'],
  })
  expect(sumUp([type(1, 10), type(4, 0, { isCritical: true })], { 1: given(3), 4: given(1) })).toMatchObject({
    score: 0,
  })
})

test('a grade that requires a comment reports the missing comment', () => {
  expect(sumUp(types, { 1: given(1, '  ') }).uncommented).toEqual(['Type 1'])
  expect(sumUp(types, { 1: given(1, 'Rude') }).uncommented).toEqual([])
})

test('a deleted grade, and N/A where forbidden, count as unrated', () => {
  expect(sumUp(types, { 1: given(9), 3: given(NA) })).toMatchObject({ rated: 0 })
})

test('number keys choose grades in order, 0 is N/A', () => {
  expect(['1', '3', '4', '0', 'a'].map((key) => gradeByKey(types[0]!, key))).toEqual([
    1,
    3,
    undefined,
    undefined,
    undefined,
  ])
  expect(gradeByKey(types[1]!, '0')).toBe(NA)
})
