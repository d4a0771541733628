import { holds } from '@innkeeper/contract/access'
import type { dossiers as contract } from '@innkeeper/contract/dossiers'
import type { Output } from '@innkeeper/contract/kit'
import { sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { readable } from '../feedback/readers.ts'
import { readFeedbacks } from '../feedback/view.ts'
import { readMemberships } from '../memberships/handlers.ts'
import { readDossier } from '../people/view.ts'
import { readTimeline } from './union.ts'

const MOST = 5000

/** What is kept of a person, by the same rule as every list. The log row counts; it quotes nothing. */
export async function exportOf(context: Context, id: number): Promise<Output<(typeof contract)['export']>> {
  const { db, staff, now, audit } = context
  const user = await readDossier(context, id)
  const found = await rows<{ id: number; may: boolean }>(
    db,
    sql`select f.dossier_feedback_id as id, ${await readable(context)} as may from dossier_feedbacks f
      where f.subject_id = ${id} and f.deleted_at is null order by f.dossier_feedback_id`,
  )
  const isOwn = staff.id === id
  const reads = found.filter(({ may }) => may && (isOwn || holds(staff, 'dossier:feedback:read')))
  const feedback = await readFeedbacks(
    context,
    reads.map((one) => one.id),
  )
  const memberships = isOwn || holds(staff, 'dossier:membership:read') ? await membershipsOf(context, id) : []
  const { items: timeline, next } = await readTimeline(context, id, { itemsPerPage: MOST })
  const withheld = found.length - reads.length
  audit.of('dossier', id)
  audit.after({ subjectName: user.name, exported: feedback.length, withheld, entries: timeline.length })
  return {
    ...{ at: now.toISOString(), by: staff.name, user, memberships, feedback, timeline, withheld },
    more: next !== undefined,
  }
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
