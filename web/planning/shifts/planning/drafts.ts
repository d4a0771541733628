import type { Roster } from '@innkeeper/contract/planning/shifts/calls'

type Drafts = Roster['drafts']

/** The drafts of the people that the grid shows. */
export function shownDrafts(drafts: Drafts, people: readonly { id: number }[]): Drafts {
  const shown = new Set(people.map(({ id }) => id))
  return drafts.filter(({ userId }) => shown.has(userId))
}

export const countOf = (drafts: Drafts): number => drafts.reduce((sum, { count }) => sum + count, 0)

/** The people whose drafts are published: the people shown if a filter is set, else everybody. */
export const publishedOf = (drafts: Drafts, isFiltered: boolean): { userIds?: number[] } =>
  isFiltered ? { userIds: drafts.map(({ userId }) => userId) } : {}
