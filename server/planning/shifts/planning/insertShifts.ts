import type { Conflict } from '@innkeeper/contract/planning/shifts/calls'
import { chunks } from '../../../kit/db/chunks.ts'
import type { Db } from '../../../kit/db/db.ts'
import { sqlState } from '../../../kit/db/failures.ts'
import { conflict, loggedAs, type Refusal, refused } from '../../../kit/http/errors.ts'
import { isClosedError } from '../../calendar/closedMonths.ts'
import type { Stored } from '../roster/view.ts'
import { shifts } from '../tables.ts'
import { inWords } from './conflicts.ts'

/** Inserts rows in groups of a few thousand. Constraint errors become messages for users. */
export async function insertShifts(db: Db, made: (typeof shifts.$inferInsert)[]): Promise<number[]> {
  const ids: number[] = []
  try {
    for (const some of chunks(made, 1000))
      for (const { id } of await db.insert(shifts).values(some).returning({ id: shifts.id })) ids.push(id)
  } catch (error) {
    throw inOurWords(error)
  }
  return ids
}

export const isPublished = ({ status }: Pick<Stored, 'status'>) => status === 'published'

/** Throws 409 with the conflicts that refuse the plan, or with `stopAtWarnings` also with the warnings. */
export function stopAt(conflicts: readonly Conflict[], stopAtWarnings: boolean | undefined): void {
  const refusing = conflicts.filter(({ refuses }) => refuses)
  if (refusing.length) throw inTheWay(refusing)
  if (stopAtWarnings && conflicts.length) throw inTheWay(conflicts)
}

/** A 409 with the conflicts: as text beside the field `date`, and each with the existing shift. */
function inTheWay(refusing: readonly Conflict[]): Refusal {
  const text = inWords(refusing).join('\n')
  const kinds = [...new Set(refusing.map(({ kind }) => kind))].join(', ')
  // the texts quote wishes
  return loggedAs(
    conflict(text, { fields: { date: text }, current: { conflicts: refusing.slice(0, 500) } }),
    `Conflicts of the plan: ${kinds}`,
  )
}

/** Converts an overlap or a closed month that only the database detected into a message for users. */
export function inOurWords(error: unknown): unknown {
  if (sqlState(error)?.code === '23P01') return conflict('Something else was planned at that time meanwhile')
  if (isClosedError(error)) return refused('That month is closed')
  return error
}
