import { expect, test } from 'vitest'
import { type FrozenScore, freeze, sumUp } from './score.ts'

const grades = [
  { id: 1, name: 'Poor', value: 0, needsComment: true },
  { id: 2, name: 'Good', value: 80, needsComment: false },
]
const solution = { id: 5, name: 'Solution', weight: 40, isCritical: false, mayBeNA: true, grades }
const security = { id: 6, name: 'Security', weight: 10, isCritical: true, mayBeNA: false, grades }
const score = (weight: number, value: number | null, isCritical = false) =>
  ({ weight, value, isCritical }) as unknown as FrozenScore // the fields that sumUp reads

test.each([
  ['the weighted mean', [score(40, 80), score(10, 30)], { score: 70, isFailed: false }],
  ['N/A does not count', [score(40, 80), score(10, null)], { score: 80, isFailed: false }],
  ['all N/A is no score', [score(40, null)], { score: null, isFailed: false }],
  ['a critical type at 0 makes the review 0', [score(40, 80), score(0, 0, true)], { score: 0, isFailed: true }],
])('%s', (_, scores, sum) => {
  expect(sumUp(scores)).toEqual(sum)
})

test('each agent gets a set of scores: a score for one agent overrides the score for all', () => {
  const given = [
    { scoreTypeId: 5, gradeId: 2 },
    { scoreTypeId: 5, gradeId: 1, comment: 'no answer', agentId: 8 },
  ]
  expect(freeze([solution], given, 7)[0]).toMatchObject({ gradeName: 'Good', value: 80, weight: 40 })
  expect(freeze([solution], given, 8)[0]).toMatchObject({ gradeName: 'Poor', comment: 'no answer' })
})

test.each([
  ['a type without a grade', [{ scoreTypeId: 5, gradeId: 2 }], /Security has no grade/],
  [
    'N/A where it is not allowed',
    [
      { scoreTypeId: 5, gradeId: 2 },
      { scoreTypeId: 6, gradeId: null },
    ],
    /needs a grade/,
  ],
  [
    'a removed grade',
    [
      { scoreTypeId: 5, gradeId: 9 },
      { scoreTypeId: 6, gradeId: 2 },
    ],
    /is gone/,
  ],
  [
    'a missing comment',
    [
      { scoreTypeId: 5, gradeId: 1 },
      { scoreTypeId: 6, gradeId: 2 },
    ],
    /needs a comment/,
  ],
])('%s is refused', (_, given, message) => {
  expect(() => freeze([solution, security], given, 7)).toThrow(message)
})
