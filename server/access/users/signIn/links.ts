import { createHash, randomBytes } from 'node:crypto'
import type { Link } from '@innkeeper/contract/access/users/shapes'
import { eq, sql } from 'drizzle-orm'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { beyondAppointments } from '../../rights/appointments.ts'
import { covers, peopleWith } from '../../rights/reach.ts'
import { signInLinks } from './tables.ts'

const HOURS = 48

const hashOf = (link: string) => createHash('sha256').update(link).digest('base64url')

/** Creates a one-time sign-in link by `byId` and revokes the previous one. Only the hash is stored. */
export async function makeLink(db: Db, userId: number, byId: number, { recovers = false } = {}): Promise<Link> {
  const link = randomBytes(24).toString('base64url')
  const expiresAt = new Date(Date.now() + HOURS * 3_600_000).toISOString()
  const values = { hash: hashOf(link), byId, expiresAt, recovers, createdAt: sql`now()` }
  await db
    .insert(signInLinks)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: signInLinks.userId, set: values })
  // in the fragment (#), which browsers do not send, so that no server logs the link
  return { link: `/login#link=${link}`, expiresAt }
}

export interface Invited {
  userId: number
  username: string
  email: string
  name: string
  expiresAt: string
  /** Id of the person who made the link. */
  byId: number | null
  /** The link also removes the person's lost factors. */
  recovers: boolean
}

/** User of a link; 404 if it is unknown, used or expired, or if its maker may no longer act on the user. */
export async function findLink(context: Pick<Context, 'app' | 'db' | 'now'>, link: string): Promise<Invited> {
  const { db } = context
  const [found] = await rows<Invited & { expiresAt: string | Date }>(
    db,
    sql`select u.user_id as "userId", u.username, u.email, ${personName('u')} as name,
        l.expires_at as "expiresAt", l.by_id as "byId", l.recovers
      from sign_in_links l join users u on u.user_id = l.user_id and u.deleted_at is null
      where l.hash = ${hashOf(link)} and l.expires_at > now() and (l.by_id is null or exists (select
        from ${peopleWith('lately')} p, ${peopleWith('now')} m
        where p.user_id = l.user_id and m.user_id = l.by_id and m.deleted_at is null and ${covers}))`,
  )
  if (!found || (found.byId !== null && (await isBeyond(context, found, found.byId))))
    throw new Refusal(404, {
      code: 'not-found',
      message: 'This link was already used, has expired or does not exist. Ask an administrator for a new one.',
    })
  return { ...found, expiresAt: isoOf(found.expiresAt) }
}

/** Whether the person has appointments that the maker of the link lacks; administrators lack none. */
async function isBeyond(
  context: Pick<Context, 'app' | 'db' | 'now'>,
  { userId, name }: Invited,
  makerId: number,
): Promise<boolean> {
  const [maker] = await rows<{ isAdmin: boolean }>(
    context.db,
    sql`select is_admin as "isAdmin" from users where user_id = ${makerId}`,
  )
  if (maker?.isAdmin) return false
  return (await beyondAppointments(context, makerId, { id: userId, name })) !== undefined
}

/** Deletes the link. Returns false if it was already deleted, so that only one of two concurrent uses signs in. */
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
