import type { DayRule } from './rules.ts'

export interface Correction {
  /** From this year on, a fixed holiday on a weekend has a substitute on the next working day. */
  movesFrom?: number
  /** Public holidays that the library omits or lists as observances. */
  add?: (DayRule & { name: string })[]
}

const movable = { kind: 'movable', month: null, day: null, weekday: null, week: null, validTo: null } as const

/**
 * Errors of date-holidays 3.37, by country. A national event of the organisation takes precedence. BG: by article 154
 * of the Labour Code, Holy Saturday and 26 December are public holidays; by paragraph 2, in force since 2017, holidays
 * on a weekend have substitutes, except Easter.
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
