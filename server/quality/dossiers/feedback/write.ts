import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { feedbackCalls } from '@innkeeper/contract/quality/dossiers/feedback'
import type { DossierFeedback } from '@innkeeper/contract/quality/dossiers/feedbackShapes'
import type { Visibility } from '@innkeeper/contract/quality/dossiers/values'
import { eq, sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import type { Context } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { checkSubject } from '../people/subject.ts'
import { checkFields } from './check.ts'
import { hint, notifyOfEntry, readersNow } from './notify.ts'
import { dossierFeedbackEdits, dossierFeedbacks as table } from './tables.ts'
import { findFeedback, isAnswerable, readStored, shown } from './view.ts'

type Made = Input<(typeof feedbackCalls)['createFeedback'], 'out'>
type Change = Omit<Input<(typeof feedbackCalls)['updateFeedback'], 'out'>, 'id'>
type Row = Awaited<ReturnType<typeof findFeedback>>

export async function write(context: Context, { userId, isDraft = false, ...fields }: Made): Promise<DossierFeedback> {
  const { db, staff, audit } = context
  await checkSubject(db, userId)
  await checkFields(context, { authorId: staff.id, subjectId: userId, visibility: fields.visibility }, fields)
  const [made] = await db
    .insert(table)
    .values({
      ...given(fields),
      followUpById: fields.followUpById ?? (fields.followUpOn ? staff.id : null),
      ...{ subjectId: userId, authorId: staff.id, isDraft, createdBy: staff.id },
      ...(!isDraft && { publishedAt: sql`now()` }),
    })
    .returning({ id: table.id })
  const row = await stored(context, made!.id) // one inserted row returns one row
  audit.after(logged(row))
  await announce(context, undefined, row)
  return shown(row, staff)
}

/** When others could first read the entry if it gets this visibility; null: not before the change. */
export const publishedOn = (before: Row, visibility: Visibility): string | null =>
  before.isDraft || (before.visibility === 'private' && visibility !== 'private') ? null : before.publishedAt

export async function rewrite(context: Context, id: number, { version, ...fields }: Change): Promise<DossierFeedback> {
  const { db, staff, audit } = context
  const before = await hold(context, id, version)
  if (fields.isDraft && !before.isDraft)
    throw refused('A published entry cannot become a draft again', { isDraft: 'It is already published' })
  const visibility = fields.visibility ?? before.visibility
  const publishedAt = publishedOn(before, visibility)
  const publishes = before.isDraft ? fields.isDraft === false : publishedAt === null
  const about = { authorId: before.authorId, subjectId: before.subjectId, visibility, publishedAt }
  // mentions of the stored entry were checked for its former readers
  const hasNewReaders = about.visibility !== before.visibility || (before.isDraft && fields.isDraft === false)
  const mentions = before.mentions.map((one) => one.id)
  await checkFields(context, about, { ...(hasNewReaders && { mentions }), ...fields })
  const told = await readersNow(context, { ...before, id })
  const isEdit =
    (fields.content !== undefined && fields.content !== before.content) || about.visibility !== before.visibility
  if (isEdit && !before.isDraft)
    await db
      .insert(dossierFeedbackEdits)
      .values({ feedbackId: id, by: staff.id, content: before.content, visibility: before.visibility })
  await db
    .update(table)
    .set({
      ...given(fields),
      ...(fields.followUpOn && !before.followUpBy && fields.followUpById === undefined && { followUpById: staff.id }),
      ...(fields.followUpOn !== undefined && fields.followUpOn !== before.followUpOn && { remindedAt: null }),
      ...(publishes && { publishedAt: sql`now()` }),
      // the person acknowledged another text
      ...(isEdit && !before.isDraft && { editedAt: sql`now()`, acknowledgedAt: null, answer: '' }),
      ...nextVersion,
    })
    .where(eq(table.id, id))
  const row = await stored(context, id)
  audit.after(logged(row))
  await announce(context, { ...before, told }, row)
  return shown(row, staff)
}

export async function remove(context: Context, id: number, version: number | undefined): Promise<void> {
  const { db, audit } = context
  const before = await hold(context, id, version)
  const told = await readersNow(context, { ...before, id })
  await db
    .update(table)
    .set({ deletedAt: sql`now()`, ...nextVersion })
    .where(eq(table.id, id))
  audit.after(null)
  if (!before.isDraft && isAnswerable(before.visibility))
    await notifyOfEntry(
      context,
      [before.subjectId],
      before,
      `${context.staff.name} deleted an entry about you`,
      'In your dossier.',
    )
  await hint(db, told)
}

export async function acknowledge(
  context: Context,
  id: number,
  { answer = '', version }: { answer?: string | undefined; version?: number | undefined },
): Promise<DossierFeedback> {
  const { db, staff, audit } = context
  await rows(db, sql`select from dossier_feedbacks where dossier_feedback_id = ${id} for update`)
  const before = await findFeedback(context, id)
  if (before.subjectId !== staff.id || before.isDraft || !isAnswerable(before.visibility)) throw notFound('entry', id)
  checkVersion(before, version, 'The entry')
  if (before.authorId === staff.id) throw refused('You cannot acknowledge your own entry')
  audit.of('feedback', id)
  audit.before(logged(before))
  await db
    .update(table)
    .set({ acknowledgedAt: sql`coalesce(acknowledged_at, now())`, answer, ...nextVersion })
    .where(eq(table.id, id))
  const row = await stored(context, id)
  audit.after(logged(row))
  const what = answer ? 'answered' : 'acknowledged'
  await notifyOfEntry(context, [row.authorId], row, `${staff.name} ${what} your entry`, 'In a dossier.')
  await hint(db, await readersNow(context, row))
  return shown(row, staff)
}

/** Locks an entry of the caller. Entries of others are refused if the caller may read them, and are 404 otherwise. */
async function hold(context: Context, id: number, version: number | undefined): Promise<Row> {
  const { db, staff, audit } = context
  await rows(db, sql`select from dossier_feedbacks where dossier_feedback_id = ${id} for update`)
  const row = await findFeedback(context, id)
  if (row.authorId !== staff.id) throw refused(`${row.author.name} wrote the entry. Only they change it.`)
  audit.before(logged(row))
  checkVersion(row, version, 'The entry')
  return row
}

async function stored({ db }: Context, id: number): Promise<Row> {
  const [row] = await readStored(db, [id])
  if (!row) throw notFound('entry', id)
  return row
}

/** Fields for the action log, without text and person, because its readers may not be allowed to read the entry. */
const logged = ({ id, visibility, isDraft, type, category, content, answer, acknowledgedAt, followUpOn }: Row) => ({
  ...{ id, visibility, isDraft, type: type?.name ?? null, category: category?.name ?? null, acknowledgedAt },
  ...{ followUpOn, characters: content.length, answerCharacters: answer.length },
})

/** Notifies the person and newly mentioned people, and sends `changed` to everybody who may or could read the entry. */
async function announce(context: Context, before: (Row & { told: number[] }) | undefined, row: Row): Promise<void> {
  const readers = await readersNow(context, row)
  const { name } = context.staff
  const mentioned = new Set(before && !before.isDraft ? before.mentions.map(({ id }) => id) : [])
  if (!row.isDraft) {
    const fresh = row.mentions.map(({ id }) => id).filter((id) => !mentioned.has(id) && readers.includes(id))
    if (fresh.length) await notifyOfEntry(context, fresh, row, `${name} mentioned you`, 'In an entry of a dossier.')
    const isNew = !before?.told.includes(row.subjectId)
    if (readers.includes(row.subjectId) && row.subjectId !== row.authorId) {
      if (isNew)
        await notifyOfEntry(
          context,
          [row.subjectId],
          row,
          `${name} wrote an entry about you`,
          'The entry waits for your answer.',
        )
      else if (before && row.editedAt !== before.editedAt)
        await notifyOfEntry(
          context,
          [row.subjectId],
          row,
          `${name} changed an entry about you`,
          'The entry waits for your answer again.',
        )
    } else if (!isNew && row.subjectId !== row.authorId)
      await notifyOfEntry(
        context,
        [row.subjectId],
        row,
        `${name} withdrew an entry about you`,
        'You can no longer read the entry.',
      )
  }
  await hint(context.db, [...readers, ...(before?.told ?? [])])
}
