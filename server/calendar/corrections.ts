import type { DayRule } from './rules.ts'

export interface Correction {
  /** From this year on, fixed days that fall on a weekend are made up for on the next working day. */
  movesFrom?: number
  /** Public holidays that the library leaves out or takes for mere observances. */
  add?: (DayRule & { name: string })[]
}

const movable = { kind: 'movable', month: null, day: null, weekday: null, week: null, validTo: null } as const

/**
 * What date-holidays 3.37 has wrong, by country. A national event of ours wins over both.
 * BG: Labour Code, article 154. Holy Saturday and 26 December are public holidays; paragraph 2, in force since 2017, moves
 * what falls on a weekend, Easter excluded.
 */
export const corrections: Record<string, Correction> = {
  BG: {
    movesFrom: 2017,
    add: [
      { ...movable, name: 'Holy Saturday', movableMethod: 'orthodox-easter', offsetDays: -1, validFrom: 2012 },
      {
        name: 'Second Day of Christmas',
        kind: 'fixed',
        month: 12,
        day: 26,
        movableMethod: null,
        weekday: null,
        week: null,
        offsetDays: 0,
        validFrom: 1990,
        validTo: null,
      },
    ],
  },
}
