import { sql } from 'drizzle-orm'
import { chunks } from '../../../kit/db/chunks.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { days } from '../requests/problems.ts'
import { enter, entitled, entitlementJoins } from './ledger.ts'

interface Grant {
  userId: number
  typeId: number
  year: number
  halves: number
}
/** Whose grants a rule concerns: of one person, of one type, or of both. */
interface Concerned {
  userId?: number
  typeId?: number
}
const ENTRIES = 5_000

/**
 * Changes a rule by which years are granted. The stored grants of `from` and of later years are adjusted by an entry of the
 * ledger, which says why. Callers store the grants of earlier years before: these years keep what they brought.
 */
export async function regrant(
  db: Db,
  concerned: Concerned,
  { from, by, why }: { from: number; by: number; why: string },
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await grantedSince(db, concerned, from)
  await change()
  const key = ({ userId, typeId, year }: Grant) => `${userId} ${typeId} ${year}`
  const after = new Map((await grantedSince(db, concerned, from)).map((one) => [key(one), one.halves]))
  const entries = before.map((one) => {
    const is = after.get(key(one)) ?? one.halves
    const note = `${why}: the year brings ${days(is)} instead of ${days(one.halves)}`
    return { ...one, halves: is - one.halves, kind: 'adjust' as const, note, createdBy: by }
  })
  for (const some of chunks(entries, ENTRIES)) await enter(db, some)
}

/** What the current rules grant in each year since `from` that has a stored grant. */
const grantedSince = (db: Db, { userId, typeId }: Concerned, from: number) =>
  rows<Grant>(
    db,
    sql`select l.user_id as "userId", l.leave_type_id as "typeId", l.year, ${entitled(sql`l.year`)} as halves from leave_ledger l
      join users u on u.user_id = l.user_id and u.deleted_at is null
      join leave_types t on t.leave_type_id = l.leave_type_id ${entitlementJoins}
      where l.kind = 'grant' and l.year >= ${from}
        ${userId === undefined ? sql`` : sql`and l.user_id = ${userId}`}
        ${typeId === undefined ? sql`` : sql`and l.leave_type_id = ${typeId}`}
      order by l.user_id, l.leave_type_id, l.year`,
  )
