import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { feedbackCalls } from '@innkeeper/contract/quality/dossiers/feedback'
import { type SQL, sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import { contains, type Listing, pageKeys } from '../../../kit/db/page.ts'
import type { Context } from '../../../kit/http/api.ts'
import { beginOf, endOf } from '../../../planning/calendar/dayBounds.ts'
import { timeZoneOf } from '../../../planning/calendar/places.ts'
import { readable, within } from './readers.ts'
import { readFeedbacks } from './view.ts'

type Asked = Input<(typeof feedbackCalls)['feedbacks'], 'out'>

/** Entries that wait for the person's answer. The index `dossier_feedbacks_waiting` has the same condition. */
const isWaiting = sql`(not f.is_draft and f.acknowledged_at is null and f.subject_id <> f.author_id
  and f.visibility in ('subject-and-manager', 'team'))`
const states = {
  draft: sql`f.is_draft`,
  waiting: isWaiting,
  acknowledged: sql`f.acknowledged_at is not null`,
  noted: sql`(not f.is_draft and f.acknowledged_at is null and (f.visibility in ('private', 'manager') or f.subject_id = f.author_id))`,
} as const

const among = (column: SQL, ids: readonly (number | string)[], type: 'int' | 'text' = 'int') =>
  sql`${column} = any(${sql.param([...ids])}::${sql.raw(type)}[])`

async function page(context: Context, input: Listing, where: SQL[]) {
  const { ids, ...rest } = await pageKeys(context.db, input, {
    from: sql`dossier_feedbacks f`,
    where: [await readable(context), ...where],
    key: sql`f.dossier_feedback_id`,
    order: { column: sql`f.created_at`, type: 'instant', direction: 'DESC' },
  })
  return { items: await readFeedbacks(context, ids), ...rest }
}

export async function listFeedback(context: Context, asked: Asked) {
  // entries about one person are few, and the index gives them in order
  const where: SQL[] = asked.userId || context.staff.isAdmin ? [] : [await within(context)]
  const add = (condition: SQL) => where.push(condition)
  if (asked.search) add(contains(sql`f.content`, asked.search))
  if (asked.userId) add(among(sql`f.subject_id`, asked.userId))
  if (asked.authorId) add(among(sql`f.author_id`, asked.authorId))
  if (asked.typeId) add(among(sql`f.type_id`, asked.typeId))
  if (asked.categoryId) add(among(sql`f.category_id`, asked.categoryId))
  if (asked.reviewCategoryId) add(among(sql`f.review_category_id`, asked.reviewCategoryId))
  if (asked.visibility) add(among(sql`f.visibility`, asked.visibility, 'text'))
  if (asked.state) add(states[asked.state])
  // only their author may read these, so an index finds them
  if (asked.state === 'draft' || asked.visibility?.every((one) => one === 'private'))
    add(sql`f.author_id = ${context.staff.id}`)
  if (asked.from) add(sql`f.created_at >= ${beginOf(asked.from, await timeZoneOf(context.db))}`)
  if (asked.to) add(sql`f.created_at < ${endOf(asked.to, await timeZoneOf(context.db))}`)
  return page(context, asked, where)
}

/** Limit for counting entries that wait for the person's answer; at the limit there may be more. */
const MOST_WAITING = 1000

/** Entries about the caller by others, and how many wait for the caller's answer. */
export async function listMine(context: Context, { waiting, ...asked }: Listing & { waiting?: 'true' | undefined }) {
  const { db, staff } = context
  const own = sql`f.subject_id = ${staff.id} and not f.is_draft`
  const waits = sql`select from dossier_feedbacks f where ${own} and ${isWaiting} and ${await readable(context)} limit ${MOST_WAITING}`
  const [count] = await rows<{ n: number }>(db, sql`select count(*)::int as n from (${waits}) as bounded`)
  const found = await page(context, asked, waiting ? [own, isWaiting] : [own])
  return { ...found, waiting: count?.n ?? 0 }
}
