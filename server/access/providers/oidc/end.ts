import { type SQL, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'

interface Which {
  providerId: number
  /** The provider's name for the session. */
  sid?: string | undefined
  /** The provider's name for the person. */
  subject?: string | undefined
}

/** Ends sessions that began at a provider. Returns the people whose sessions ended. */
export async function endSessionsOf(
  app: Pick<App, 'sessions'>,
  db: Db,
  { providerId, sid, subject }: Which,
): Promise<number[]> {
  const where: SQL[] = [sql`provider_id = ${providerId} and revoked_at is null and expires_at > now()`]
  if (sid !== undefined) where.push(sql`provider_sid = ${sid}`)
  if (subject !== undefined)
    where.push(
      sql`user_id in (select user_id from identities where provider_id = ${providerId} and subject = ${subject})`,
    )
  const open = await rows<{ key: string; userId: number }>(
    db,
    sql`select key, user_id as "userId" from sessions where ${sql.join(where, sql` and `)}`,
  )
  for (const { key } of open) await app.sessions.revoke(db, key)
  return [...new Set(open.map(({ userId }) => userId))]
}
