import type { Session } from '@innkeeper/contract/access/auth'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { sessions } from './tables.ts'

const open = (userId: number) =>
  and(eq(sessions.userId, userId), sql`${sessions.revokedAt} is null and ${sessions.expiresAt} > now()`)

/** Active sessions of a user, newest first, at most 100. */
export async function readSessions(
  db: Db,
  userId: number,
  current?: string,
): Promise<{ items: Session[]; total: number }> {
  const found = await db
    .select()
    .from(sessions)
    .where(open(userId))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .limit(100)
  const items = found.map(({ id, createdAt, expiresAt, lastSeenAt, ip, userAgent, key }) => ({
    id,
    createdAt,
    expiresAt,
    lastSeenAt,
    ip,
    userAgent,
    current: key === current,
  }))
  return { items, total: items.length }
}

/** Key of an active session of this user; 404 for any other session. */
export async function sessionOf(db: Db, userId: number, id: number): Promise<string> {
  const [found] = await db
    .select({ key: sessions.key })
    .from(sessions)
    .where(and(open(userId), eq(sessions.id, id)))
  if (!found) throw notFound('session', id)
  return found.key
}
