import { describe, expect, it } from 'vitest'
import { readBytes, unitFor, unitIn, writeBytes } from './bytes.ts'

const GiB = 1024 ** 3

describe('a size', () => {
  it('is written in the largest exact unit', () => {
    expect([0, 1, 1536, 1.5 * GiB, GiB, GiB + 1, 1024 ** 4].map(writeBytes)).toEqual([
      '0 B',
      '1 B',
      '1.5 KiB',
      '1.5 GiB',
      '1 GiB',
      '1073741825 B',
      '1 TiB',
    ])
    expect(unitFor(0)).toBe('B')
  })
  it('is read in the selected unit, or in the typed one', () => {
    const texts = ['10', '1,024', '1.5', '2 GiB', '2gb', '512m', '7 B', '0']
    expect(texts.map((text) => readBytes(text, 'MiB'))).toEqual([
      10 * 1024 ** 2,
      GiB,
      1.5 * 1024 ** 2,
      2 * GiB,
      2 * GiB,
      512 * 1024 ** 2,
      7,
      0,
    ])
    expect([unitIn('2 gb'), unitIn('7b'), unitIn('2')]).toEqual(['GiB', 'B', undefined])
  })
  it.each(['', '-1', 'ten', '1,02', '1 GiBs', '3 i', '9007199254740993 TiB'])('is not read from "%s"', (text) =>
    expect(readBytes(text, 'MiB')).toBeUndefined())
})
