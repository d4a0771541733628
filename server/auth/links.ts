import { createHash, randomBytes } from 'node:crypto'
import type { Link } from '@innkeeper/contract/users'
import { eq, sql } from 'drizzle-orm'
import { isoOf } from '../kit/db/columns.ts'
import { type Db, rows } from '../kit/db/db.ts'
import { Refusal } from '../kit/http/errors.ts'
import { signInLinks } from './tables.ts'

const HOURS = 48

const hashOf = (link: string) => createHash('sha256').update(link).digest('base64url')

/** A link that signs this person in once; the one before ends. What is kept is its hash: it is shown here alone. */
export async function makeLink(db: Db, userId: number): Promise<Link> {
  const link = randomBytes(24).toString('base64url')
  const expiresAt = new Date(Date.now() + HOURS * 3_600_000).toISOString()
  const values = { hash: hashOf(link), expiresAt, createdAt: sql`now()` }
  await db
    .insert(signInLinks)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: signInLinks.userId, set: values })
  // behind a #: what stands there is sent to no server and stands in no log
  return { link: `/login#link=${link}`, expiresAt }
}

export interface Invited {
  userId: number
  username: string
  email: string
  name: string
  expiresAt: string
}

/** Whose it is; 404 where it never was, was used or is too old. */
export async function findLink(db: Db, link: string): Promise<Invited> {
  const [found] = await rows<Invited & { expiresAt: string | Date }>(
    db,
    sql`select u.user_id as "userId", u.username, u.email, u.first_name || ' ' || u.last_name as name,
        l.expires_at as "expiresAt"
      from sign_in_links l join users u on u.user_id = l.user_id and u.deleted_at is null
      where l.hash = ${hashOf(link)} and l.expires_at > now()`,
  )
  if (!found)
    throw new Refusal(404, {
      code: 'not-found',
      message: 'This link was used, has expired or never was. Ask an administrator for a new one.',
    })
  return { ...found, expiresAt: isoOf(found.expiresAt) }
}

/** Answers whether it was there: of two who use it at once one is signed in. */
export async function dropLink(db: Db, userId: number, link?: string): Promise<boolean> {
  const gone = await db
    .delete(signInLinks)
    .where(
      link
        ? sql`${signInLinks.userId} = ${userId} and ${signInLinks.hash} = ${hashOf(link)}`
        : eq(signInLinks.userId, userId),
    )
    .returning({ userId: signInLinks.userId })
  return gone.length > 0
}
