import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'
import { checkPeople } from './exist.ts'
import { alive, holdsAny, nameOf } from './read.ts'
import { users } from './tables.ts'

/**
 * 422 beside the field if one of these people lacks all of the permissions: nobody is mentioned in, invited to or given
 * something that they may not read. `what`: "chats".
 */
export async function checkReaders(
  db: Db,
  ids: readonly number[],
  field: string,
  { may, what }: { may: readonly string[]; what: string },
): Promise<void> {
  if (!ids.length) return
  await checkPeople(db, ids, field)
  const [found] = await rows<{ name: string }>(
    db,
    sql`select ${nameOf} as name from ${users}
      where ${users.id} = any(${sql.param([...ids])}::int[]) and not (${alive} and ${holdsAny(may)}) order by 1 limit 1`,
  )
  if (found) throw refused(`${found.name} may not read ${what}`, { [field]: `${found.name} may not read ${what}` })
}
