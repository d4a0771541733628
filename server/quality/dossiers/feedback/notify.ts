import { sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { push } from '../../../kit/live/live.ts'
import { todayIn } from '../../../planning/calendar/places.ts'
import { managerOf } from '../memberships/current.ts'
import { type About, admits, entry, readersOf } from './readers.ts'

interface Told extends About {
  id: number
  isDraft: boolean
}

/** People who may read the entry now; for a draft only its author. */
export const readersNow = async ({ db, now }: Context, told: Told): Promise<number[]> =>
  told.isDraft ? [told.authorId] : (await readersOf(db, now, told)).map(({ id }) => id)

/** Sends `changed` only to readers, so that nobody learns that an entry about somebody exists. */
export async function hint(db: Db, readers: readonly number[]): Promise<void> {
  const to = [...new Set(readers)]
  for (const domain of ['dossierFeedback', 'dossiers']) await push(db, 'changed', { domain }, to)
}

/**
 * Notifications quote nothing and name only the writer, because they remain when a person may no longer read the entry.
 */
export const notifyOfEntry = (
  { db, staff }: Context,
  to: readonly number[],
  about: Told,
  title: string,
  body: string,
) =>
  notify(db, {
    to: to.filter((id) => id !== staff.id),
    reason: 'quality',
    title,
    body,
    link: to.includes(about.subjectId) ? '/dossiers/mine' : `/dossiers/${about.subjectId}/feedbacks/${about.id}`,
  })

/**
 * Sends one reminder for each entry whose follow-up day has come. If the chosen person may no longer read the entry,
 * the present manager is reminded if they may, or else the author.
 */
export async function remind({ db }: App): Promise<void> {
  const now = new Date()
  const day = sql`${await todayIn(db, now)}::date`
  const due = await db.transaction(async (tx) => {
    const reader = { id: sql`f.follow_up_by_id`, isAdmin: sql`u.is_admin` }
    const found = await rows<{ id: number; to: number; subjectId: number }>(
      tx,
      sql`select f.dossier_feedback_id as id, w.to, f.subject_id as "subjectId" from dossier_feedbacks f
        join users u on u.user_id = f.follow_up_by_id
        cross join lateral (select ${managerOf(sql`f.subject_id`, day)} as id) g
        cross join lateral (select case
          when u.deleted_at is null and ${admits(reader, entry, day)} then f.follow_up_by_id
          when ${admits({ id: sql`g.id`, isAdmin: sql`false` }, entry, day)} then g.id
          else f.author_id end as to) w
        join users r on r.user_id = w.to and r.deleted_at is null
        where f.deleted_at is null and f.reminded_at is null and f.follow_up_on <= ${day}
        order by f.dossier_feedback_id limit 500 for update of f skip locked`,
    )
    if (!found.length) return found
    await tx.execute(
      sql`update dossier_feedbacks set reminded_at = now() where dossier_feedback_id = any(${sql.param(found.map(({ id }) => id))}::int[])`,
    )
    for (const [to, [first, ...more]] of Map.groupBy(found, (one) => one.to))
      await notify(tx, {
        to: [to],
        reason: 'quality',
        title: more.length ? `${more.length + 1} follow-ups are due` : 'A follow-up is due',
        body: 'In dossiers.',
        link: `/dossiers/${first?.subjectId}/feedbacks/${first?.id}`,
      })
    return found
  })
  if (due.length) await hint(db, [...new Set(due.map(({ to }) => to))])
}
