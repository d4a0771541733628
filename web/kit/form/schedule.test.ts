import { describe, expect, it } from 'vitest'
import { readCron } from './cron.ts'
import { choiceOf, cronOf, nextRuns, sentenceOf } from './schedule.ts'

const after = new Date('2026-11-23T12:00:00Z')
const runs = (cron: string, timeZone = 'UTC', from = after) => nextRuns({ cron, timeZone }, from, 3)

describe('an expression of cron', () => {
  it('is parsed with lists, ranges, steps and names', () => {
    expect(readCron('*/20 9-11 1,15 jan-mar/2 mon-fri')).toEqual({
      minutes: [0, 20, 40],
      hours: [9, 10, 11],
      days: [1, 15],
      months: [1, 3],
      weekdays: [1, 2, 3, 4, 5],
      either: true,
    })
    expect(readCron('0 0 L * 0,7')).toMatchObject({ days: ['last'], weekdays: [7] })
    expect(readCron('5/15 0 * * *')?.minutes).toEqual([5, 20, 35, 50])
  })
  it.each([
    '',
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '*/0 * * * *',
  ])('is refused: "%s"', (text) => expect(readCron(text)).toBeUndefined())
  it.each(['5-1 * * * *', '1,,2 * * * *', 'x * * * *', '1-2-3 * * * *', '@daily'])('is refused: "%s"', (text) =>
    expect(readCron(text)).toBeUndefined())
})

describe('a schedule', () => {
  it.each([
    '7 * * * *',
    '30 2 * * *',
    '30 2 * * 1,4',
    '0 6 15 * *',
    '0 6 L * *',
  ])('%s converts to a choice and back', (cron) => {
    const choice = choiceOf(cron)
    expect(choice.every === 'rule' ? choice : cronOf(choice)).toBe(cron)
  })
  it('converts to a sentence', () => {
    const rules = ['7 * * * *', '30 2 * * *', '30 2 * * 1,4', '0 9 * * 1-5', '0 6 L * *', '0 6 31 * *', '*/15 * * * *']
    expect(rules.map(sentenceOf)).toEqual([
      'Every hour at 07 minutes past',
      'Every day at 02:30',
      'Every Monday and Thursday at 02:30',
      'Monday to Friday at 09:00',
      'On the last day of each month at 06:00',
      'On day 31 of each month at 06:00; months without it are left out',
      'Every 15 minutes',
    ])
    expect(sentenceOf('0 6,18 1 1,7 *')).toBe('At 06:00 and 18:00, on day 1, in January and July')
    expect(sentenceOf('0 0 13 * 5')).toBe('At 00:00, on day 13 or on Friday')
    expect(sentenceOf('0 0 1')).toBeUndefined()
  })
})

describe('the next runs', () => {
  it('are in the future', () => {
    expect(runs('0 12 * * *')).toEqual([
      '2026-11-24T12:00:00.000Z',
      '2026-11-25T12:00:00.000Z',
      '2026-11-26T12:00:00.000Z',
    ])
    expect(runs('*/30 * * * *')[0]).toBe('2026-11-23T12:30:00.000Z')
  })
  it('keep their local time over a clock change', () => {
    const before = new Date('2026-10-24T12:00:00Z')
    expect(runs('30 4 * * *', 'Europe/Oslo', before).slice(0, 2)).toEqual([
      '2026-10-25T03:30:00.000Z',
      '2026-10-26T03:30:00.000Z',
    ])
    expect(runs('30 2 * * *', 'Europe/Oslo', new Date('2026-03-28T12:00:00Z'))[0]).toBe('2026-03-29T01:30:00.000Z')
    // shown twice, run once
    expect(runs('30 2 25 10 *', 'Europe/Oslo', before)[0]).toBe('2026-10-25T00:30:00.000Z')
    expect(runs('30 2 25 10 *', 'Europe/Oslo', before)[1]?.slice(0, 4)).toBe('2027')
  })
  it('fall on the last day of a month, on 29 February, or never', () => {
    expect(runs('0 0 L * *').map((run) => run.slice(5, 10))).toEqual(['11-30', '12-31', '01-31'])
    expect(runs('0 0 29 2 *').map((run) => run.slice(0, 10))).toEqual(['2028-02-29', '2032-02-29'])
    expect(runs('0 0 31 2 *')).toEqual([])
  })
  it('match either the day or the weekday, as in cron', () => {
    expect(runs('0 0 13 * 5').map((run) => run.slice(0, 10))).toEqual(['2026-11-27', '2026-12-04', '2026-12-11'])
  })
})
