import type { DossierFeedback, DossierFeedbackPage } from '@innkeeper/contract/quality/dossiers/feedbackShapes'
import type { Visibility } from '@innkeeper/contract/quality/dossiers/values'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { peopleOf, personOf } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { entry, readable } from './readers.ts'

interface Stored extends Omit<DossierFeedback, 'state'> {
  isDraft: boolean
  subjectId: number
  authorId: number
  fileIds: number[]
}

const wordOf = (column: string) =>
  sql.raw(
    `(select json_build_object('id', w.dossier_word_id, 'name', w.name) from dossier_words w where w.dossier_word_id = ${column})`,
  )
const filesOf = sql`(select coalesce(json_agg(json_build_object('id', x.id, 'name', coalesce(n.name, 'deleted file'),
    'type', coalesce(n.type, ''), 'size', coalesce(n.size, 0), 'isGone', n.file_id is null or n.deleted_at is not null) order by x.at), '[]'::json)
  from unnest(f.file_ids) with ordinality as x(id, at) left join files n on n.file_id = x.id)`

const select = rowsByIds<Stored>(
  (
    isWanted,
  ) => sql`select f.dossier_feedback_id as id, f.version, f.created_at as "createdAt", f.updated_at as "updatedAt",
      f.subject_id as "subjectId", f.author_id as "authorId", f.is_draft as "isDraft", f.file_ids as "fileIds",
      ${personOf('f.subject_id')} as subject, ${personOf('f.author_id')} as author, ${wordOf('f.type_id')} as type,
      ${wordOf('f.category_id')} as category, ${wordOf('f.review_category_id')} as "reviewCategory", f.content, f.visibility,
      f.published_at as "publishedAt", ${peopleOf('f.mentions')} as mentions, ${filesOf} as files,
      f.follow_up_on::text as "followUpOn", ${personOf('f.follow_up_by_id')} as "followUpBy",
      f.acknowledged_at as "acknowledgedAt", f.answer, f.edited_at as "editedAt"
    from dossier_feedbacks f where ${isWanted(sql`f.dossier_feedback_id`)} and f.deleted_at is null`,
)
const instants = ['createdAt', 'updatedAt', 'publishedAt', 'acknowledgedAt', 'editedAt'] as const

/** Reads rows without checking the reader. */
export const readStored = async (db: Db, ids: number[]): Promise<Stored[]> =>
  inOrder(ids, await select(db, ids)).map((row) => withInstants(row, instants))

/** True if the person may read entries with this visibility, and so answers them. */
export const isAnswerable = (visibility: Visibility): boolean =>
  visibility === 'subject-and-manager' || visibility === 'team'

/** The entry for a person who may read it. */
export function shown(
  { isDraft, subjectId, authorId, fileIds: _, ...row }: Stored,
  { id, isAdmin }: { id: number; isAdmin: boolean },
): DossierFeedback {
  const follows = isAdmin || authorId === id || row.followUpBy?.id === id
  const isWaiting = isAnswerable(row.visibility) && subjectId !== authorId
  const state = isDraft ? 'draft' : row.acknowledgedAt ? 'acknowledged' : isWaiting ? 'waiting' : 'noted'
  return { ...row, state, ...(!follows && { followUpOn: null, followUpBy: null }) }
}

/** Entries of a list whose query has checked the reader. */
export const readFeedbacks = async ({ db, staff }: Context, ids: number[]): Promise<DossierFeedback[]> =>
  (await readStored(db, ids)).map((row) => shown(row, staff))

/** The stored entry if the caller may read it; 404 otherwise. */
export async function findFeedback(context: Context, id: number): Promise<Stored> {
  const { db } = context
  const [found] = await rows(
    db,
    sql`select from dossier_feedbacks f where f.dossier_feedback_id = ${id} and ${await readable(context)}`,
  )
  const [row] = found ? await readStored(db, [id]) : []
  if (!row) throw notFound('entry', id)
  return row
}

type Edit = DossierFeedbackPage['history'][number]

/** When a former version was written: when the version before was replaced, or the entry created. */
const writtenAt = sql`coalesce((select max(p.at) from dossier_feedback_edits p
  where p.feedback_id = e.feedback_id and p.dossier_feedback_edit_id < e.dossier_feedback_edit_id), f.created_at)`

/** Former versions by entry, only those that the caller could read. */
export async function historyOf(context: Context, ids: readonly number[], most?: number): Promise<Map<number, Edit[]>> {
  const may = await readable(context, { ...entry, visibility: sql`e.visibility`, publishedAt: writtenAt })
  const found = await rows<Edit & { entryId: number }>(
    context.db,
    sql`select e.feedback_id as "entryId", e.at, ${personOf('e.by')} as by, e.content, e.visibility from dossier_feedback_edits e
      join dossier_feedbacks f on f.dossier_feedback_id = e.feedback_id
      where e.feedback_id = any(${sql.param([...ids])}::int[]) and ${may} order by e.dossier_feedback_edit_id desc
      limit ${most ?? null}`,
  )
  const byEntry = Map.groupBy(found, ({ entryId }) => entryId)
  return new Map(
    [...byEntry].map(([id, edits]) => [id, edits.map(({ entryId: _, ...edit }) => withInstants(edit, ['at']))]),
  )
}

export async function readPage(context: Context, id: number): Promise<DossierFeedbackPage> {
  const row = await findFeedback(context, id)
  const history = await historyOf(context, [id], 200)
  return { ...shown(row, context.staff), history: history.get(id) ?? [] }
}
