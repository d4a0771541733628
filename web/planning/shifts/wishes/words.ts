import type { ShiftWish } from '@innkeeper/contract/planning/shifts/calls'
import { listed } from '../../../kit/access/reasons.ts'
import { texts } from '../../../kit/look/locale.ts'
import { shiftTexts } from '../texts.ts'

/** Words, letter and colour of a wish. */
export function wishKindsShown() {
  const words = shiftTexts()
  return {
    cannot: { word: words.cannot, short: '✕', colour: 'error' },
    'rather-not': { word: words.ratherNot, short: '~', colour: 'warning' },
    likes: { word: words.likes, short: '+', colour: 'success' },
  } as const satisfies Record<ShiftWish['kind'], object>
}

/** Each Monday to each Sunday. */
const weekdayTexts = texts(
  {
    ...{ one: 'Mondays', two: 'Tuesdays', three: 'Wednesdays', four: 'Thursdays' },
    ...{ five: 'Fridays', six: 'Saturdays', seven: 'Sundays' },
  },
  {
    de: {
      ...{ one: 'montags', two: 'dienstags', three: 'mittwochs', four: 'donnerstags' },
      ...{ five: 'freitags', six: 'samstags', seven: 'sonntags' },
    },
  },
).now

/** "Late, Mondays, Wednesdays and Fridays" */
export const wishText = ({ shiftTypeName, weekdays }: Pick<ShiftWish, 'shiftTypeName' | 'weekdays'>): string =>
  [shiftTypeName, listed(weekdays.flatMap((day) => Object.values(weekdayTexts())[day - 1] ?? []))]
    .filter(Boolean)
    .join(', ')
