import type { Comment } from '@innkeeper/contract/qc/shapes'
import type { Kind } from '@innkeeper/contract/qc/values'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion, risen } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { notify } from '../../notifications/notify.ts'
import { checkPeople } from '../conversations/queue.ts'
import { qcCommentEdits, qcComments } from './tables.ts'
import { readComments } from './view.ts'

type Subject = 'conversation' | 'message' | 'review' | 'feedback'
type Text = string | { content: string }

/** Where the subject of a comment is, and the conversation that it belongs to. */
const places = {
  conversation: sql`select qc_conversation_id as id, kind from qc_conversations where qc_conversation_id = `,
  message: sql`select m.conversation_id as id, c.kind from qc_messages m join qc_conversations c on c.qc_conversation_id = m.conversation_id where m.qc_message_id = `,
  review: sql`select conversation_id as id, kind from qc_reviews where deleted_at is null and qc_review_id = `,
  feedback: sql`select conversation_id as id, kind from qc_feedbacks where qc_feedback_id = `,
} satisfies Record<Subject, unknown>

interface Wish {
  type: 'comment' | 'note'
  subject: Subject
  kind: Kind
  id: number
  text: Text
  notifyUsers?: number[] | undefined
}

/** Writes a comment or a note, and notifies whom it mentions. */
export async function write(
  context: Context,
  { type, subject, kind, id, text, notifyUsers = [] }: Wish,
): Promise<Comment> {
  const { db, staff, audit } = context
  const [place] = await rows<{ id: number; kind: Kind }>(db, sql`${places[subject]} ${id}`)
  if (place?.kind !== kind) throw notFound(subject === 'conversation' ? kind : subject, id)
  await checkPeople(db, notifyUsers, 'notifyUsers')
  const content = typeof text === 'string' ? text : text.content
  const mentions = [...new Set(notifyUsers)]
  const [made] = await db
    .insert(qcComments)
    .values({ type, subject, subjectId: id, conversationId: place.id, content, mentions, createdBy: staff.id })
    .returning({ id: qcComments.id })
  await mention(context, kind, place.id, mentions)
  const comment = await readComment(db, made!.id) // one inserted row returns one row
  audit.after(comment)
  await changed(db, 'qc', place.id)
  return comment
}

export async function rewrite(
  context: Context,
  type: Wish['type'],
  id: number,
  {
    content,
    notifyUsers = [],
    version,
  }: { content: string; notifyUsers?: number[] | undefined; version?: number | undefined },
): Promise<Comment> {
  const { db, staff, audit } = context
  const before = await hold(context, type, id)
  checkVersion(before, version, `The ${type}`)
  if (before.author.id !== staff.id && !staff.isAdmin)
    throw refused(`${before.author.name} wrote the ${type}. Only they change it.`)
  await checkPeople(db, notifyUsers, 'notifyUsers')
  const added = [...new Set(notifyUsers)].filter((one) => !before.mentions.includes(one))
  await db.insert(qcCommentEdits).values({ commentId: id, by: staff.id, content: before.content })
  await db
    .update(qcComments)
    .set({ content, mentions: [...before.mentions, ...added], editedAt: sql`now()`, ...risen })
    .where(eq(qcComments.id, id))
  if (before.conversationId)
    await mention(context, await kindOf(db, before.conversationId), before.conversationId, added)
  const after = await readComment(db, id)
  audit.after(after)
  await changed(db, 'qc', before.conversationId ?? undefined)
  return after
}

export async function erase(context: Context, type: Wish['type'], id: number): Promise<void> {
  const { db } = context
  const { conversationId } = await hold(context, type, id)
  await db
    .update(qcComments)
    .set({ deletedAt: sql`now()`, ...risen })
    .where(eq(qcComments.id, id))
  await changed(db, 'qc', conversationId ?? undefined)
}

async function hold({ db, audit }: Context, type: Wish['type'], id: number): Promise<Comment> {
  await rows(db, sql`select from qc_comments where qc_comment_id = ${id} for update`)
  const comment = await readComment(db, id)
  if (comment.type !== type) throw notFound(type, id)
  audit.before(comment)
  return comment
}

async function readComment(db: Db, id: number): Promise<Comment> {
  const [comment] = await readComments(db, [id])
  if (!comment) throw notFound('comment', id)
  return comment
}

async function kindOf(db: Db, id: number): Promise<Kind> {
  const [found] = await rows<{ kind: Kind }>(
    db,
    sql`select kind from qc_conversations where qc_conversation_id = ${id}`,
  )
  return found?.kind ?? 'chat'
}

/** The notification quotes nothing: whoever may not read the conversation learns only that it exists. */
async function mention({ db, staff }: Context, kind: Kind, id: number, people: readonly number[]): Promise<void> {
  const to = people.filter((one) => one !== staff.id)
  if (to.length)
    await notify(db, {
      to,
      reason: 'quality',
      title: `${staff.name} mentioned you`,
      body: `In a comment on a ${kind}.`,
      link: kind === 'chat' ? `/qc/chats/${id}` : `/qc/tickets/${id}`,
    })
}
