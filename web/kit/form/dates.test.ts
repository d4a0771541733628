import { describe, expect, it } from 'vitest'
import {
  guessDay,
  guessLocal,
  guessTime,
  readTime,
  readTypedDay,
  readTypedLocal,
  writeDay,
  writeLocal,
} from './dates.ts'

const today = '2026-11-23'

describe('a typed day', () => {
  it('is written in the house format', () => {
    expect([writeDay('2026-11-02'), writeDay(''), writeDay('nonsense')]).toEqual(['2 Nov 2026', '', 'nonsense'])
  })
  it.each([
    '2026-11-02',
    '2 Nov 2026',
    '02 november 2026',
    '2nov2026',
    'Nov 2, 2026',
    '2/11/2026',
    '02.11.2026',
  ])('is read from %s', (text) => expect(readTypedDay(text)).toBe('2026-11-02'))
  it('reads what the field writes, in each month', () => {
    const days = Array.from({ length: 12 }, (_, n) => `2026-${String(n + 1).padStart(2, '0')}-03`)
    expect(days.map((day) => readTypedDay(writeDay(day)))).toEqual(days)
  })
  it.each([
    '',
    '2 Nov',
    '31/02/2026',
    '2026-13-01',
    '2 Nox 2026',
    '2 Novembre 2026',
    '2 Nov 20',
    'tomorrow',
  ])('is not read from "%s"', (text) => expect(readTypedDay(text)).toBeUndefined())
  it('is completed from today when the person leaves the field', () => {
    const typed = ['today', 'tomorrow', 'yesterday', '+7', '-23', '5', '5.', '5 Dec', '5/12', '5.12.', '5 Dec 2027']
    expect(typed.map((text) => guessDay(text, today))).toEqual([
      '2026-11-23',
      '2026-11-24',
      '2026-11-22',
      '2026-11-30',
      '2026-10-31',
      '2026-11-05',
      '2026-11-05',
      '2026-12-05',
      '2026-12-05',
      '2026-12-05',
      '2027-12-05',
    ])
    expect(['32', '31 Feb', 'soon', ''].map((text) => guessDay(text, today))).toEqual(Array(4).fill(undefined))
  })
})

describe('a typed time', () => {
  it('is read with its minutes', () => {
    expect(['14:02', '9.05', '2:02 pm', '12:00 am', '23:59:59'].map(readTime)).toEqual([
      '14:02',
      '09:05',
      '14:02',
      '00:00',
      '23:59',
    ])
    expect(['24:00', '9:60', '13:00 pm', '9', '9:5'].map(readTime)).toEqual(Array(5).fill(undefined))
  })
  it('is completed without them', () => {
    expect(['9', '2 pm', '1402', '905', '25'].map(guessTime)).toEqual(['09:00', '14:00', '14:02', '09:05', undefined])
  })
})

describe('a typed day with a time', () => {
  it('is written in the house format', () => {
    expect(writeLocal('2026-11-02T09:05')).toBe('2 Nov 2026 09:05')
    expect(writeLocal('2026-11-02')).toBe('2026-11-02')
  })
  it.each([
    '2026-11-02T14:02',
    '2026-11-02 14:02:40',
    '2 Nov 2026 14:02',
    '2 Nov 2026, 2:02 pm',
    '2/11/2026 14.02',
  ])('is read from %s', (text) => expect(readTypedLocal(text)).toBe('2026-11-02T14:02'))
  it('is completed from today and the usual time', () => {
    const typed = ['2 Nov', '2 Nov 2026', 'tomorrow 9', 'tomorrow, 2 pm', '14:02', '2 Nov 2026 9', '5.12 8:00']
    expect(typed.map((text) => guessLocal(text, today, '10:00'))).toEqual([
      '2026-11-02T10:00',
      '2026-11-02T10:00',
      '2026-11-24T09:00',
      '2026-11-24T14:00',
      '2026-11-23T14:02',
      '2026-11-02T09:00',
      '2026-12-05T08:00',
    ])
    expect(['soon', '2 Nov 25:00', ''].map((text) => guessLocal(text, today, '10:00'))).toEqual(
      Array(3).fill(undefined),
    )
  })
})
