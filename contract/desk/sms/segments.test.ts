import { describe, expect, it } from 'vitest'
import { countSegments } from './segments.ts'

const count = (text: string) => {
  const { encoding, units, segments, left } = countSegments(text)
  return [encoding, units, segments, left]
}

describe('segments of a text message', () => {
  it('are 0 for an empty text', () => expect(count('')).toEqual(['GSM-7', 0, 0, 160]))
  it('contain 160 septets if there is one, or 153 each if there are several', () => {
    expect(count('a'.repeat(160))).toEqual(['GSM-7', 160, 1, 0])
    expect(count('a'.repeat(161))).toEqual(['GSM-7', 161, 2, 145])
    expect(count('a'.repeat(306))).toEqual(['GSM-7', 306, 2, 0])
    expect(count('a'.repeat(307))).toEqual(['GSM-7', 307, 3, 152])
  })
  it('count a character of the extension table twice', () => {
    expect(count('€{}[]~^|\\')).toEqual(['GSM-7', 18, 1, 142])
    expect(count('€'.repeat(80))).toEqual(['GSM-7', 160, 1, 0])
  })
  it('never split an escape', () => {
    // septet 153 of the first segment stays free
    expect(count(`${'a'.repeat(152)}€${'a'.repeat(10)}`)).toEqual(['GSM-7', 164, 2, 141])
    expect(count('€'.repeat(153))).toEqual(['GSM-7', 306, 3, 151])
  })
  it('contain 70 units, or 67 each if there are several, if one character is in neither table', () => {
    expect(count('ł'.repeat(70))).toEqual(['UCS-2', 70, 1, 0])
    expect(count('ł'.repeat(71))).toEqual(['UCS-2', 71, 2, 63])
    expect(countSegments('Zażółć €').beyond).toEqual(['ż', 'ó', 'ł', 'ć'])
  })
  it('never split a surrogate pair, and count a family emoji as one character', () => {
    expect(count('😀'.repeat(36))).toEqual(['UCS-2', 72, 2, 61])
    expect(countSegments('👩‍👧')).toMatchObject({ characters: 1, units: 5 })
  })
  it('use the alphabets of GSM 03.38', () => {
    expect(countSegments('Åse Ødegård æøå ÄÖÜß ñ ΔΩ ¿¡').encoding).toBe('GSM-7')
    expect(countSegments('çêô').beyond).toEqual(['ç', 'ê', 'ô'])
  })
})
