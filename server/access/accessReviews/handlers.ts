import type { AccessReview, accessReviews as contract } from '@innkeeper/contract/access/accessReviews'
import { eq, type SQL, sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, outOfReach, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { checkPeople } from '../users/exist.ts'
import { writeItems } from './begin.ts'
import { carryOut } from './carryOut.ts'
import { reviewFile } from './file.ts'
import { isInState, itemsFrom, readItems, readReview, readReviews } from './read.ts'
import { accessReviews } from './tables.ts'

const sorts = {
  createdAt: { column: sql`v.created_at`, type: 'instant', direction: 'DESC' },
  dueOn: { column: sql`v.due_on`, type: 'day', direction: 'DESC' },
} as const
const itemSorts = {
  userName: { column: sql`lower(${personName('u')})`, type: 'text', direction: 'ASC' },
  lastUsedAt: { column: sql`coalesce(i.last_used_at, 'epoch')`, type: 'instant', direction: 'ASC' },
} as const

export const accessReviewsHandlers: Handlers<typeof contract> = {
  async list({ state, search, ...input }, { db }) {
    const where: SQL[] = [sql`true`]
    if (state) where.push(isInState[state])
    if (search) where.push(contains(sql`v.name`, search))
    const order = sorts[input.sort ?? 'createdAt']
    const from = sql`access_reviews v`
    const { ids, ...page } = await pageKeys(db, input, { from, where, key: sql`v.access_review_id`, order })
    return { items: await readReviews(db, ids), ...page }
  },

  one: ({ id }, { db }) => readReview(db, id),

  async items({ id, search, kind, decision, proposed, ...input }, { db }) {
    await readReview(db, id)
    const where: SQL[] = [sql`i.review_id = ${id}`]
    if (search) where.push(contains(sql`${personName('u')} || ' ' || i.name`, search))
    if (kind) where.push(sql`i.kind = ${kind}`)
    if (decision) where.push(decision === 'none' ? sql`i.decision is null` : sql`i.decision = ${decision}`)
    if (proposed) where.push(proposed === 'yes' ? sql`i.is_proposed` : sql`not i.is_proposed`)
    const order = itemSorts[input.sort ?? 'userName']
    const { ids, ...page } = await pageKeys(db, input, {
      ...{ from: itemsFrom, where, key: sql`i.access_review_item_id`, order },
    })
    return { items: await readItems(db, ids), ...page }
  },

  async create({ roleIds, userIds, reviewerId, name, unusedDays, dueOn }, context) {
    const { db, staff, app, audit, now } = context
    if (dueOn < now.toISOString().slice(0, 10)) throw refused('This day is over', { dueOn: 'Choose a coming day' })
    await checkPeople(db, userIds, 'userIds')
    const reviewer = reviewerId ?? staff.id
    await checkPeople(db, [reviewer], 'reviewerId')
    await checkRoles(context, roleIds)
    const [made] = await db
      .insert(accessReviews)
      .values({ name, unusedDays, dueOn, reviewerId: reviewer, createdBy: staff.id })
      .returning({ id: accessReviews.id })
    const { id } = made!
    await writeItems(db, id, { roleIds, userIds, unusedDays })
    const review = await readReview(db, id)
    if (!review.items) throw refused('Nobody of these holds anything')
    audit.of('access-review', id)
    audit.after({ ...review, roleIds, userIds })
    if (reviewer !== staff.id)
      await app.notify(db, {
        ...{ to: [reviewer], reason: 'rights', link: `/access-reviews/${id}` },
        title: `${staff.name} asks you to review who holds what: ${name}`,
        body: `${review.items} rows, until ${dueOn}.`,
      })
    await changed(db, 'accessReviews', id)
    return review
  },

  async decide({ id, items, decision, note }, context) {
    const { db, staff, audit } = context
    await findOpen(context, id)
    const ids = [...new Set(items)]
    const wanted = sql`${sql.param(ids)}::int[]`
    const found = await rows<{ id: number; isOwn: boolean }>(
      db,
      sql`select i.access_review_item_id as id, i.user_id = ${staff.id} or coalesce(s.owner_id = ${staff.id}, false) as "isOwn"
        from access_review_items i left join service_accounts s on s.service_account_id = i.user_id
        where i.review_id = ${id} and i.access_review_item_id = any(${wanted})`,
    )
    const gone = ids.find((one) => !found.some((row) => row.id === one))
    if (gone !== undefined)
      throw refused(`Row ${gone} is not in this review`, { items: `Row ${gone} is not in this review` })
    if (found.some(({ isOwn }) => isOwn))
      throw outOfReach('Somebody else decides about you and your programs: leave these rows out')
    const [by, at] = decision === null ? [null, null] : [staff.id, sql`now()`]
    await db.execute(sql`update access_review_items set decision = ${decision}, decided_by_id = ${by}, decided_at = ${at},
        note = ${note} where access_review_item_id = any(${wanted})`)
    audit.of('access-review', id)
    audit.after({ items: ids, decision, note })
    await changed(db, 'accessReviews', id)
    return { decided: ids.length }
  },

  async finish({ id }, context) {
    const { db, staff, audit } = context
    const open = await findOpen(context, id)
    if (open.undecided)
      throw conflict(`${open.undecided} rows wait for a decision. Nobody decides about themselves: ask somebody else.`)
    await carryOut(context, id)
    await db
      .update(accessReviews)
      .set({ endedAt: sql`now()`, endedById: staff.id, ...nextVersion })
      .where(eq(accessReviews.id, id))
    const review = await readReview(db, id)
    audit.after(review)
    await changed(db, 'accessReviews', id)
    return review
  },

  async cancel({ id }, context) {
    const { db, staff } = context
    await findOpen(context, id)
    await db
      .update(accessReviews)
      .set({ isCancelled: true, endedAt: sql`now()`, endedById: staff.id, ...nextVersion })
      .where(eq(accessReviews.id, id))
    await changed(db, 'accessReviews', id)
  },

  file: async ({ id }, { db }) => reviewFile(db, await readReview(db, id)),
}

async function findOpen({ db, audit }: Context, id: number): Promise<AccessReview> {
  await db.select({ id: accessReviews.id }).from(accessReviews).where(eq(accessReviews.id, id)).for('update')
  const review = await readReview(db, id)
  audit.of('access-review', id)
  audit.before(review)
  if (review.state !== 'open') throw conflict(`This review is ${review.state}`, { current: review })
  return review
}

async function checkRoles({ db }: Context, ids: readonly number[]): Promise<void> {
  const found = await rows<{ id: number }>(
    db,
    sql`select role_id as id from roles where role_id = any(${sql.param([...ids])}::int[]) and deleted_at is null`,
  )
  const gone = ids.find((id) => !found.some((role) => role.id === id))
  if (gone !== undefined) throw refused(`Role ${gone} is gone`, { roleIds: 'One is gone. Choose again.' })
}
