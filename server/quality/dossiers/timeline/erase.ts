import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'

const ERASED = '(erased)'

/** Erases texts about a person permanently. Authors, dates, memberships and the log row with the reason remain. */
export async function eraseTexts(context: Context, id: number, reason: string) {
  const { db, staff, audit } = context
  if (!staff.isAdmin && staff.id === id) throw refused('Nobody can erase their own dossier')
  const [dossier] = await rows<{ isOpen: boolean; name: string }>(
    db,
    sql`select d.deleted_at is null as "isOpen", ${personName('u')} as name
      from dossiers d join users u using (user_id) where d.user_id = ${id} for update of d`,
  )
  if (!dossier) throw notFound('dossier', id)
  if (dossier.isOpen) throw refused('The dossier is open. Close it first.')
  await db.execute(sql`update dossier_feedback_edits set content = ${ERASED}
    where feedback_id in (select dossier_feedback_id from dossier_feedbacks where subject_id = ${id})`)
  const feedback = await rows(
    db,
    sql`update dossier_feedbacks set content = ${ERASED}, answer = '', mentions = '{}', file_ids = '{}', version = version + 1, updated_at = now()
      where subject_id = ${id} returning dossier_feedback_id`,
  )
  await db.execute(sql`update qc_comment_edits set content = ${ERASED}
    where comment_id in (select qc_comment_id from qc_comments where subject = 'dossier' and subject_id = ${id})`)
  const comments = await rows(
    db,
    sql`update qc_comments set content = ${ERASED}, mentions = '{}', version = version + 1, updated_at = now()
      where subject = 'dossier' and subject_id = ${id} returning qc_comment_id`,
  )
  await db.execute(sql`update dossier_talk_answers set texts = array_fill(${ERASED}::text, array[cardinality(texts)])
    where talk_id in (select dossier_talk_id from dossier_talks where person_id = ${id}) and cardinality(texts) > 0`)
  const talks = await rows(
    db,
    sql`update dossier_talks set goals = '{}', version = version + 1, updated_at = now() where person_id = ${id} returning dossier_talk_id`,
  )
  await db.execute(sql`update dossiers set about = '', erased_at = now() where user_id = ${id}`)
  const done = { feedback: feedback.length, comments: comments.length, talks: talks.length }
  audit.of('dossier', id)
  audit.after({ subjectName: dossier.name, erasedBecause: reason, ...done })
  await changed(db, 'dossiers', id)
  return done
}
