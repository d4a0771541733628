import type { Shift } from '@innkeeper/contract/planning/shifts/calls'

type Draft = Pick<Shift, 'status' | 'date' | 'userId'>

/**
 * The drafts that the grid shows: of these people, from the first day on. The roster has the day before too, because its
 * night shifts reach into the first day.
 */
export function shownDrafts<S extends Draft>(
  shifts: readonly S[],
  people: readonly { id: number }[],
  from: string,
): S[] {
  const shown = new Set<number | null>(people.map(({ id }) => id))
  return shifts.filter(({ status, date, userId }) => status === 'draft' && date >= from && shown.has(userId))
}

/** The people whose drafts are published: the people shown if a filter is set, else everybody. */
export const publishedOf = (drafts: readonly Draft[], isFiltered: boolean): { userIds?: number[] } =>
  isFiltered ? { userIds: [...new Set(drafts.flatMap(({ userId }) => userId ?? []))] } : {}
