import { describe, expect, it } from 'vitest'
import { offsetsOf, rowAt } from './useWindow.ts'

describe('rows of a long grid', () => {
  const offsets = offsetsOf([34, 34, 60, 34])
  it('start where the previous rows end', () => {
    expect(offsets).toEqual([0, 34, 68, 128, 162])
  })
  it('are found by offset; outside it is the first or the last', () => {
    expect([-50, 0, 33.9, 34, 127, 128, 9999].map((y) => rowAt(offsets, y))).toEqual([0, 0, 0, 1, 2, 3, 3])
    expect(rowAt(offsetsOf([]), 10)).toBe(0)
  })
})
