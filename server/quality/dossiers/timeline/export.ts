import { holds } from '@innkeeper/contract/kit/access'
import type { Output } from '@innkeeper/contract/kit/endpoint'
import type { dossiers as contract } from '@innkeeper/contract/quality/dossiers/calls'
import type { TimelineEntry } from '@innkeeper/contract/quality/dossiers/feedbackShapes'
import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { readable } from '../feedback/readers.ts'
import { historyOf, readFeedbacks } from '../feedback/view.ts'
import { readMemberships } from '../memberships/handlers.ts'
import { readDossier } from '../people/view.ts'
import { talksWith } from '../talks/handlers.ts'
import { readTimeline } from './union.ts'

/** Number of timeline entries per query, and in the whole export. */
const AT_ONCE = 5000
const MOST = 100_000

/**
 * All entries about a person that the caller may read, by the same rule as every list. Other entries are not even
 * counted, because a count would reveal that they exist. The log row contains numbers, but no texts.
 */
export async function exportOf(context: Context, id: number): Promise<Output<(typeof contract)['export']>> {
  const { db, staff, now, audit } = context
  const user = await readDossier(context, id)
  const isOwn = staff.id === id
  const found =
    isOwn || holds(staff, 'dossier:feedback:read')
      ? await rows<{ id: number }>(
          db,
          sql`select f.dossier_feedback_id as id from dossier_feedbacks f
            where f.subject_id = ${id} and ${await readable(context)} order by f.dossier_feedback_id`,
        )
      : []
  const ids = found.map((one) => one.id)
  const history = await historyOf(context, ids)
  const feedback = (await readFeedbacks(context, ids)).map((one) => ({ ...one, history: history.get(one.id) ?? [] }))
  const memberships = isOwn || holds(staff, 'dossier:membership:read') ? await membershipsOf(context, id) : []
  const talks = await talksWith(context, id)
  const { timeline, more } = await wholeTimeline(context, id)
  audit.of('dossier', id)
  audit.after({ subjectName: user.name, exported: feedback.length, talks: talks.length, entries: timeline.length })
  return { at: now.toISOString(), by: staff.name, user, memberships, feedback, talks, timeline, more }
}

async function wholeTimeline(context: Context, id: number): Promise<{ timeline: TimelineEntry[]; more: boolean }> {
  const timeline: TimelineEntry[] = []
  let after: string | undefined
  do {
    const page = await readTimeline(context, id, { itemsPerPage: AT_ONCE, after, isWhole: true })
    timeline.push(...page.items)
    after = page.next
  } while (after !== undefined && timeline.length < MOST)
  return { timeline, more: after !== undefined }
}

async function membershipsOf({ db }: Context, userId: number) {
  const found = await rows<{ id: number }>(
    db,
    sql`select dossier_membership_id as id from dossier_memberships where user_id = ${userId} and deleted_at is null order by starts_on`,
  )
  return readMemberships(
    db,
    found.map(({ id }) => id),
  )
}
