import type { recovery as contract, Recovery } from '@innkeeper/contract/access/recovery'
import { eq, sql } from 'drizzle-orm'
import { rowsByIds } from '../../kit/db/byIds.ts'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { inOrder, pageKeys } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, outOfReach } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { notifyOfSignIn } from '../rights/notices.ts'
import { mayLetIn } from '../rights/rights.ts'
import { makeLink } from '../users/signIn/links.ts'
import { findUser } from '../users/write.ts'
import { recoveries } from './tables.ts'

const HOURS = 24

/** Recovery by two people, of whom each may change the sign-in of the person (decision 175). */
export const recoveryHandlers: Handlers<typeof contract> = {
  async list(input, { db }) {
    const order = { column: recoveries.askedAt, type: 'instant', direction: 'DESC' } as const
    const { ids, ...found } = await pageKeys(db, input, {
      from: sql`${recoveries}`,
      where: [],
      key: recoveries.id,
      order,
    })
    return { items: await readRecoveries(db, ids), ...found }
  },

  async ask({ userId, reason }, context) {
    const { db, staff, app } = context
    const user = await findUser(context, userId)
    await mayLetIn(context, user)
    await db.execute(sql`update recoveries set ended_at = expires_at
      where user_id = ${userId} and ended_at is null and expires_at < now()`)
    const [open] = await rows(db, sql`select from recoveries where user_id = ${userId} and ended_at is null`)
    if (open) throw conflict(`A recovery of ${user.name} waits already`)
    const expiresAt = new Date(Date.now() + HOURS * 3_600_000).toISOString()
    const [made] = await db
      .insert(recoveries)
      .values({ userId, reason, askedById: staff.id, expiresAt })
      .returning({ id: recoveries.id })
    await notifyOfSignIn(context, user, 'A recovery of the account was asked for')
    await app.notify(db, {
      to: await othersWhoMay(db, staff.id),
      reason: 'rights',
      level: 'warning',
      title: `${staff.name} asks to recover the account of ${user.name}`,
      body: `${reason} Confirm it only after you have spoken with ${user.name}.`,
      link: '/recoveries',
    })
    await changed(db, 'recovery', made!.id)
    return readRecovery(db, made!.id)
  },

  async confirm({ id }, context) {
    const { db, staff } = context
    const found = await findOpen(context, id)
    if (found.askedById === staff.id)
      throw outOfReach('You asked for this recovery yourself: somebody else has to confirm it')
    await checkAsker(db, found)
    const user = await findUser(context, found.userId)
    await mayLetIn(context, user)
    await end(context, id, 'confirmed')
    await notifyOfSignIn(context, user, 'A recovery of the account was confirmed')
    return makeLink(db, user.id, staff.id, { recovers: true })
  },

  async refuse({ id }, context) {
    const found = await findOpen(context, id)
    if (found.askedById !== context.staff.id) await mayLetIn(context, { id: found.userId, name: found.userName })
    await end(context, id, 'refused')
  },
}

async function findOpen({ db }: Context, id: number): Promise<Recovery> {
  await db.select({ id: recoveries.id }).from(recoveries).where(eq(recoveries.id, id)).for('update')
  const found = await readRecovery(db, id)
  if (found.ending)
    throw conflict(`This recovery was ${found.ending === 'expired' ? 'too old and expired' : found.ending}`)
  return found
}

/** Two people stand for a recovery: whoever asked has to be here still, with the permission to ask. */
async function checkAsker(db: Db, { askedById, askedByName }: Recovery): Promise<void> {
  const [still] = await rows(
    db,
    sql`select from users u left join roles r on r.role_id = u.role_id and r.deleted_at is null
      where u.user_id = ${askedById} and u.deleted_at is null and u.suspended_at is null
        and (u.is_admin or 'users:user:update' = any(r.scopes))`,
  )
  if (!still) throw outOfReach(`${askedByName}, who asked, may not ask for it any more: ask for it anew`)
}

async function end({ db, staff }: Context, id: number, ending: 'confirmed' | 'refused'): Promise<void> {
  await db.update(recoveries).set({ ending, endedById: staff.id, endedAt: sql`now()` }).where(eq(recoveries.id, id))
  await changed(db, 'recovery', id)
}

/** Administrators other than the one who asks. */
async function othersWhoMay(db: Db, but: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select user_id as id from users where is_admin and deleted_at is null and user_id <> ${but} limit 50`,
  )
  return found.map(({ id }) => id)
}

type Row = Omit<Recovery, 'askedAt' | 'expiresAt' | 'endedAt'> & {
  [K in 'askedAt' | 'expiresAt']: string | Date
} & { endedAt: string | Date | null }

const select = rowsByIds<Row>(
  (isWanted) => sql`select r.recovery_id as id, r.user_id as "userId", ${personName('u')} as "userName",
      r.asked_by_id as "askedById", ${personName('a')} as "askedByName", r.reason,
      r.asked_at as "askedAt", r.expires_at as "expiresAt", r.ended_at as "endedAt",
      ${personName('e')} as "endedByName",
      coalesce(r.ending, case when r.expires_at < now() or r.ended_at is not null then 'expired' end) as ending
    from recoveries r join users u on u.user_id = r.user_id join users a on a.user_id = r.asked_by_id
    left join users e on e.user_id = r.ended_by_id where ${isWanted(sql`r.recovery_id`)}`,
)

async function readRecoveries(db: Db, ids: readonly number[]): Promise<Recovery[]> {
  const found = await select(db, ids)
  return inOrder(
    [...ids],
    found.map((row) => ({
      ...row,
      askedAt: isoOf(row.askedAt),
      expiresAt: isoOf(row.expiresAt),
      endedAt: row.endedAt && isoOf(row.endedAt),
    })),
  )
}

async function readRecovery(db: Db, id: number): Promise<Recovery> {
  const [found] = await readRecoveries(db, [id])
  if (!found) throw notFound('recovery', id)
  return found
}
