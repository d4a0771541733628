import { describe, expect, it, test } from 'vitest'
import { axisOf, bandsOf, barOf, heightOf, linesOf, slicesOf, topOf } from './scale.ts'

test.each([
  [[0, 0], 1],
  [[3, 7], 10],
  [[11], 20],
  [[20], 20],
  [[480, 210], 500],
  [[0.03], 0.05],
  [[-4], 1],
])('a scale of %j ends at %d', (values, top) => expect(topOf(values)).toBeCloseTo(top))
test('slices are fractions of the whole; a single slice is the full circle', () => {
  expect(slicesOf([1, 1, 2]).map(({ share }) => share)).toEqual([0.25, 0.25, 0.5])
  expect(slicesOf([1, 3])[0]?.path).toBe('M0,0L0.0000,-1.0000A1,1 0 0 1 1.0000,-0.0000Z')
  expect(slicesOf([5])[0]?.path).toContain('1 1 0,1A')
  expect(slicesOf([0, 0]).map(({ share }) => share)).toEqual([0, 0])
})

const of = (...values: (number | null)[]) => ({ series: [{ name: 'Value', values }] })
describe('an axis', () => {
  it('goes from 0 to a round figure, or to 1 without values', () => {
    expect(axisOf(of(3, 7))).toEqual({ low: 0, high: 10, ticks: [0, 5, 10] })
    expect(axisOf(of(3, 4)).ticks).toEqual([0, 5])
    expect(axisOf(of(3, 4.5)).ticks).toEqual([0, 2.5, 5])
    expect(axisOf(of(null))).toEqual({ low: 0, high: 1, ticks: [0, 0.5, 1] })
  })
  it('includes negative values, the comparison period and the spread', () => {
    expect(axisOf(of(-3, 7))).toMatchObject({ low: -5, high: 10 })
    expect(axisOf(of(-3))).toMatchObject({ low: -5, high: 0 })
    const series = [{ name: 'V', values: [3], before: [40], spread: [{ low: 1, high: 90, n: 5 }] }]
    expect(axisOf({ series })).toMatchObject({ high: 100 })
  })
  it('uses the limits that the screen sets', () => {
    expect(axisOf(of(82), { min: 50, max: 100, ticks: 6 })).toEqual({
      low: 50,
      high: 100,
      ticks: [50, 60, 70, 80, 90, 100],
    })
    expect(axisOf(of(82), { min: 100, max: 100 })).toMatchObject({ low: 100, high: 101 })
  })
  it('places values, and clamps those outside', () => {
    const axis = axisOf(of(), { min: 50, max: 100 })
    expect([75, 20, 200].map((value) => heightOf(value, axis))).toEqual([50, 0, 100])
    expect(barOf(-5, axisOf(of(-5, 5)))).toEqual({ bottom: 0, height: 50 })
    expect(barOf(75, axis)).toEqual({ bottom: 0, height: 50 })
  })
})

describe('a line', () => {
  const axis = axisOf(of(0, 5, 10))
  it('spans the full width, with its highest value below the top', () => {
    expect(linesOf([0, 5, 10], axis)).toEqual([{ points: '0.00,100.00 50.00,50.00 100.00,0.00', isDot: false }])
    expect(linesOf([5], axis)).toEqual([{ points: '50.00,50.00 50.00,50.00', isDot: true }])
  })
  it('has gaps where nothing was measured', () => {
    expect(linesOf([null, 5, null, 10, 10], axis)).toEqual([
      { points: '25.00,50.00 25.00,50.00', isDot: true },
      { points: '75.00,0.00 100.00,0.00', isDot: false },
    ])
  })
  it('is inside the band of its spread', () => {
    const spread = [{ low: 0, high: 10, n: 3 }, { low: 5, high: 5, n: 1 }, null]
    expect(bandsOf(spread, axis)).toEqual(['0.00,0.00 50.00,50.00 50.00,50.00 0.00,100.00'])
  })
})
