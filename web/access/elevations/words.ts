import type { Elevation, ElevationRule } from '@innkeeper/contract/access/elevations'
import { permissions, permissionWords } from '@innkeeper/contract/permissions/services'
import { counted } from '../../kit/look/format.ts'

export const stateWords = {
  asked: 'Waits',
  held: 'Held',
  ended: 'Ended',
  refused: 'Refused',
  lapsed: 'Lapsed',
} as const

export const endingWords = {
  time: 'Its time was over',
  hand: 'Ended by hand',
  rights: 'The account or the role was changed',
  refused: 'Refused',
  unanswered: 'Nobody answered',
} as const

export const wayWords = {
  'at-once': 'Begins at once',
  'second-person': 'A second person decides',
  never: 'Never',
} as const

/** "The role On call", or the permissions by name. */
export const whatOf = ({ roleName, scopes }: Pick<Elevation | ElevationRule, 'roleName' | 'scopes'>): string =>
  roleName
    ? `Role ${roleName}`
    : scopes.length > 2
      ? counted(scopes.length, ['permission', 'permissions'])
      : scopes.map(permissionWords).join(', ')

/** Choices of all permissions, by their words. */
export const permissionChoices = Object.entries(permissions).map(([value, label]) => ({ value, label }))

const spans = [15, 30, 60, 120, 240, 480, 1440, 2880, 10_080]
export const spanText = (minutes: number): string =>
  minutes < 60
    ? `${minutes} minutes`
    : minutes < 1440
      ? counted(minutes / 60, ['hour', 'hours'])
      : counted(minutes / 1440, ['day', 'days'])

/** Choices of times up to the longest one that is allowed. */
export const spanChoices = (most: number): { value: string; label: string }[] =>
  [
    ...new Set([...spans.filter((minutes) => minutes <= most), ...(spans.some((span) => span <= most) ? [] : [most])]),
  ].map((minutes) => ({ value: String(minutes), label: spanText(minutes) }))
