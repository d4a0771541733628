import type { Roster } from '@innkeeper/contract/planning/shifts/calls'

/** People whose shifts are read at once. */
export const PART = 50

/** Ids in parts of one call each. */
export const partsOf = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / PART) }, (_, n) => ids.slice(n * PART, (n + 1) * PART))

/** The part that has a row. */
export const partOf = (row: number): number => Math.floor(Math.max(0, row) / PART)

/** A roster with the rows of its parts; of a person that two parts have, the first one's. */
export function joined(frame: Roster, parts: readonly Roster[]): Roster {
  const done = new Set<number>()
  const rows = parts.map((part) => {
    const mine = new Set(part.people.flatMap(({ id }) => (done.has(id) ? [] : [id])))
    for (const id of mine) done.add(id)
    const isMine = ({ userId }: { userId: number | null }) => userId !== null && mine.has(userId)
    return {
      shifts: part.shifts.filter(isMine),
      leaves: part.leaves.filter(isMine),
      wishes: part.wishes.filter(isMine),
      daysOff: part.daysOff.filter(isMine),
      notes: part.notes.filter(isMine),
    }
  })
  return {
    ...frame,
    shifts: [...frame.shifts, ...rows.flatMap(({ shifts }) => shifts)],
    leaves: rows.flatMap(({ leaves }) => leaves),
    wishes: rows.flatMap(({ wishes }) => wishes),
    daysOff: rows.flatMap(({ daysOff }) => daysOff),
    notes: rows.flatMap(({ notes }) => notes),
  }
}
