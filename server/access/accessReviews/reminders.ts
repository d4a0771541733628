import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import type { Holding } from '../../kit/app/holding.ts'
import { rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'

const DAYS = 7

/** Reminds reviewers a week before the day on which a review is due, and once after it. */
export const remindReviewers = (app: App): Promise<void> =>
  app.db.transaction(async (db) => {
    const due = await rows<{ id: number; name: string; to: number; on: string; isOver: boolean }>(
      db,
      sql`with due as (select access_review_id from access_reviews where ended_at is null and due_on <= current_date + ${DAYS}::int
          and (reminded_at is null or due_on < current_date and reminded_at::date <= due_on)
          order by due_on limit 100 for update skip locked)
        update access_reviews v set reminded_at = now() from due where v.access_review_id = due.access_review_id
        returning v.access_review_id as id, v.name, v.reviewer_id as to, v.due_on::text as on, v.due_on < current_date as "isOver"`,
    )
    for (const { id, name, to, on, isOver } of due)
      await app.notify(db, {
        ...{ to: [to], reason: 'rights', link: `/access-reviews/${id}`, body: `It was to end by ${on}.` },
        title: isOver ? `The access review ${name} is overdue` : `The access review ${name} ends on ${on}`,
        ...(isOver ? { level: 'warning' as const } : { body: 'Decide about the rows that wait.' }),
      })
  })

/** Open reviews of which a person is reminded. */
export const reviewedAccess: Holding = {
  key: 'access-reviews',
  label: 'Open access reviews',
  async count(db, userId) {
    const [found] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from access_reviews where reviewer_id = ${userId} and ended_at is null`,
    )
    return found?.n ?? 0
  },
  async handOver(db, from, to) {
    await db.execute(sql`update access_reviews set reviewer_id = ${to.id}, version = version + 1, updated_at = now()
      where reviewer_id = ${from} and ended_at is null`)
    await changed(db, 'accessReviews')
  },
}
