import type { MovableMethod, NationalEvent } from '@innkeeper/contract/planning/calendarEvents/national'

/** Values of the national event form; '' is an empty field. */
export interface WantedNational {
  name: string
  description: string
  country: string | null
  kind: 'fixed' | 'movable'
  month: string | null
  day: string
  movableMethod: MovableMethod | null
  weekday: string | null
  week: string | null
  offsetDays: string
  substitution: 'none' | 'next-working-day'
  isDayOff: boolean
  replaces: string | null
  validFrom: string
  validTo: string
}

export const labels = {
  name: 'Name',
  description: 'Description',
  country: 'Country',
  month: 'Month',
  day: 'Day',
  movableMethod: 'Found by',
  weekday: 'Weekday',
  week: 'Which one',
  offsetDays: 'Days after',
  replaces: 'Stands for',
  validFrom: 'First year',
  validTo: 'Last year',
}

export const newNational = (year: number): WantedNational => ({
  name: '',
  description: '',
  country: null,
  kind: 'fixed',
  month: null,
  day: '',
  movableMethod: null,
  weekday: null,
  week: null,
  offsetDays: '0',
  substitution: 'none',
  isDayOff: true,
  replaces: null,
  validFrom: String(year),
  validTo: '',
})

const text = (n: number | null) => (n === null ? null : String(n))

export const nationalOf = (event: NationalEvent): WantedNational => ({
  name: event.name,
  description: event.description ?? '',
  country: event.country,
  kind: event.kind,
  month: text(event.month),
  day: text(event.day) ?? '',
  movableMethod: event.movableMethod,
  weekday: text(event.weekday),
  week: text(event.week),
  offsetDays: String(event.offsetDays),
  substitution: event.substitution,
  isDayOff: event.isDayOff,
  replaces: event.replaces,
  validFrom: String(event.validFrom),
  validTo: text(event.validTo) ?? '',
})

/** Whether the fields required by the kind are filled, so that a preview is possible. */
export function isComplete({ kind, month, day, movableMethod, weekday, week }: WantedNational): boolean {
  if (kind === 'fixed') return month !== null && day !== ''
  if (movableMethod === 'nth-weekday') return month !== null && weekday !== null && week !== null
  return movableMethod === 'last-weekday' ? month !== null && weekday !== null : movableMethod !== null
}
