import type { AccessItem, AccessReview, accessReviewStates } from '@innkeeper/contract/access/accessReviews'
import { type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../kit/db/byIds.ts'
import { withInstants } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import { notFound } from '../../kit/http/errors.ts'

export const isInState: Record<(typeof accessReviewStates)[number], SQL> = {
  open: sql`v.ended_at is null`,
  finished: sql`v.ended_at is not null and not v.is_cancelled`,
  cancelled: sql`v.is_cancelled`,
}

const select = rowsByIds<AccessReview>(
  (
    isWanted,
  ) => sql`select v.access_review_id as id, v.version, v.created_at as "createdAt", v.updated_at as "updatedAt", v.name,
      case when v.is_cancelled then 'cancelled' when v.ended_at is null then 'open' else 'finished' end as state,
      v.unused_days as "unusedDays", v.due_on::text as "dueOn", v.ended_at is null and v.due_on < current_date as "isOverdue",
      v.reviewer_id as "reviewerId", ${personName('w')} as "reviewerName", v.ended_at as "endedAt",
      ${personName('e')} as "endedByName", n.items, n.undecided, n."toRemove",
      (select min(first_at) from permission_uses) as "recordedSince"
    from access_reviews v join users w on w.user_id = v.reviewer_id left join users e on e.user_id = v.ended_by_id
    cross join lateral (select count(*)::int as items, count(*) filter (where decision is null)::int as undecided,
        count(*) filter (where decision = 'remove')::int as "toRemove"
      from access_review_items i where i.review_id = v.access_review_id) n
    where ${isWanted(sql`v.access_review_id`)}`,
)

export async function readReviews(db: Db, ids: readonly number[]): Promise<AccessReview[]> {
  const found = await select(db, [...ids])
  return inOrder(
    [...ids],
    found.map((row) => withInstants(row, ['createdAt', 'updatedAt', 'endedAt', 'recordedSince'])),
  )
}

export async function readReview(db: Db, id: number): Promise<AccessReview> {
  const [found] = await readReviews(db, [id])
  if (!found) throw notFound('access review', id)
  return found
}

export const itemsFrom = sql`access_review_items i join users u on u.user_id = i.user_id`

const columns = sql`i.access_review_item_id as id, i.user_id as "userId", trim(${personName('u')}) as "userName",
  u.is_service as "isService", i.kind, i.name, i.source, cardinality(i.scopes) as scopes, i.unused,
  i.last_used_at as "lastUsedAt", i.is_proposed as "isProposed", i.decision,
  ${personName('d')} as "decidedByName", i.decided_at as "decidedAt", i.note, i.outcome`
const decider = sql`left join users d on d.user_id = i.decided_by_id`

const selectItems = rowsByIds<AccessItem>(
  (isWanted) => sql`select ${columns} from ${itemsFrom} ${decider} where ${isWanted(sql`i.access_review_item_id`)}`,
)
const shown = (row: AccessItem) => withInstants(row, ['lastUsedAt', 'decidedAt'])

export async function readItems(db: Db, ids: readonly number[]): Promise<AccessItem[]> {
  return inOrder([...ids], (await selectItems(db, [...ids])).map(shown))
}

/** The rows after one, in the order of their ids. */
export async function itemsAfter(db: Db, reviewId: number, after: number, most: number): Promise<AccessItem[]> {
  const found = await rows<AccessItem>(
    db,
    sql`select ${columns} from ${itemsFrom} ${decider} where i.review_id = ${reviewId} and i.access_review_item_id > ${after}
      order by i.access_review_item_id limit ${most}`,
  )
  return found.map(shown)
}
