import type { ShiftWish } from '@innkeeper/contract/planning/shifts/calls'

/** Words, letter and colour of a wish. */
export const wishKindsShown = {
  cannot: { word: 'Cannot work', short: '✕', colour: 'error' },
  'rather-not': { word: 'Rather not', short: '~', colour: 'warning' },
  likes: { word: 'Likes to work', short: '+', colour: 'success' },
} as const satisfies Record<ShiftWish['kind'], object>

const days = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays']

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** "Late, Mondays, Wednesdays and Fridays" */
export const wishText = ({ shiftTypeName, weekdays }: Pick<ShiftWish, 'shiftTypeName' | 'weekdays'>): string =>
  [shiftTypeName, list.format(weekdays.flatMap((day) => days[day - 1] ?? []))].filter(Boolean).join(', ')
