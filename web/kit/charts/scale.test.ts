import { expect, test } from 'vitest'
import { pointsOf, slicesOf, topOf } from './scale.ts'

test.each([
  [[0, 0], 1],
  [[3, 7], 10],
  [[11], 20],
  [[20], 20],
  [[480, 210], 500],
  [[0.03], 0.05],
  [[-4], 1],
])('a scale of %j ends at %d', (values, top) => expect(topOf(values)).toBeCloseTo(top))
test('slices are shares of the whole, and one alone is the whole circle', () => {
  expect(slicesOf([1, 1, 2]).map(({ share }) => share)).toEqual([0.25, 0.25, 0.5])
  expect(slicesOf([1, 3])[0]?.path).toBe('M0,0L0.0000,-1.0000A1,1 0 0 1 1.0000,-0.0000Z')
  expect(slicesOf([5])[0]?.path).toContain('1 1 0,1A')
  expect(slicesOf([0, 0]).map(({ share }) => share)).toEqual([0, 0])
})
test('a line goes from edge to edge, its highest value below the top', () => {
  expect(pointsOf([0, 5, 10], 10)).toBe('0.00,100.00 50.00,50.00 100.00,0.00')
  expect(pointsOf([4], 8)).toBe('50.00,50.00')
})
