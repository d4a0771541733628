import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'

/**
 * The name that a website had at each of these times, if it was renamed since and has another name now, else null. What
 * was copied or kept at that time contains the former name.
 */
export async function formerNames(
  db: Db,
  { id, domain }: { id: number; domain: string },
  times: readonly (string | null)[],
): Promise<(string | null)[]> {
  // a workflow keeps the name that its website had at its start
  const renames = await rows<{ name: string; at: Date | string }>(
    db,
    sql`select subject_name as name, ended_at as at from workflows where kind = 'website.rename' and status = 'done'
      and subject_type = 'website' and subject_id = ${id} order by workflow_id`,
  )
  return times.map((time) => {
    const next = time === null ? undefined : renames.find(({ at }) => new Date(at) > new Date(time))
    return next && next.name !== domain ? next.name : null
  })
}
