/** Groups what waits by the people who hear of it: each gets one notification, whatever waits for them. */
export function byPerson<T extends { to: readonly number[] }>(all: readonly T[]): [userId: number, waiting: T[]][] {
  const found = new Map<number, T[]>()
  for (const one of all) for (const id of new Set(one.to)) found.set(id, [...(found.get(id) ?? []), one])
  return [...found]
}

/** Most rows of one kind of which a round reminds people. The next round takes the others. */
export const LATE_ROWS = 2000
