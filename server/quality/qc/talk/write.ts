import { holds } from '@innkeeper/contract/kit/access'
import type { Comment } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { eq, sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { checkPeople } from '../../../access/users/exist.ts'
import { checkReaders } from '../../../access/users/readers.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { notFound, outOfReach, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { holdConversation, holdToWrite } from '../conversations/queue.ts'
import { readConversation } from '../conversations/view.ts'
import { placeOf } from '../ids.ts'
import { checkReach, checkReachOf } from '../reach.ts'
import { checkMayRead, mayRead } from '../rights.ts'
import { qcCommentEdits, qcComments } from './tables.ts'
import { readComments } from './view.ts'

type Subject = 'conversation' | 'message' | 'review' | 'feedback'
type Text = string | { content: string }

/** Query by subject for the conversation of a comment, its kind, and the person whom the comment is about. */
const places = {
  conversation: sql`select qc_conversation_id as id, kind, agent_id as about from qc_conversations where qc_conversation_id = `,
  message: sql`select m.conversation_id as id, c.kind, coalesce(m.user_id, c.agent_id) as about from qc_messages m join qc_conversations c on c.qc_conversation_id = m.conversation_id where m.qc_message_id = `,
  review: sql`select conversation_id as id, kind, agent_id as about from qc_reviews where deleted_at is null and qc_review_id = `,
  feedback: sql`select conversation_id as id, kind, agent_id as about from qc_feedbacks where qc_feedback_id = `,
} satisfies Record<Subject, unknown>

interface Wish {
  type: 'comment' | 'note'
  subject: Subject
  kind: Kind
  id: number
  text: Text
  notifyUsers?: number[] | undefined
  /** The person whose dossier shows the comment; the agent by default. */
  about?: number | undefined
}

/** 403 unless the caller may read the conversation of a comment, or wrote in it. */
async function checkReads(context: Context, kind: Kind, { id, about }: { id: number; about: number | null }) {
  const { db, staff } = context
  if (mayRead(staff, kind)) return checkReach(context, id)
  const { agents } = await readConversation(db, id)
  checkMayRead(staff, kind, [about ?? undefined, ...agents.map((agent) => agent.id)])
}

/** Writes a comment or a note, and notifies the mentioned people. */
export async function write(
  context: Context,
  { type, subject, kind, id, text, notifyUsers = [], about }: Wish,
): Promise<Comment> {
  const { db } = context
  const [place] = await rows<{ id: number; kind: Kind; about: number | null }>(db, sql`${places[subject]} ${id}`)
  if (place?.kind !== kind) throw notFound(subject === 'conversation' ? kind : subject, id)
  await holdToWrite(db, place.id)
  await checkReads(context, kind, place)
  if (subject === 'feedback' && place.about !== context.staff.id && !holds(context.staff, 'qa:feedback:read'))
    throw outOfReach('You may not read feedback')
  await checkPeople(db, notifyUsers, 'notifyUsers')
  const mentions = [...new Set(notifyUsers)]
  await checkReadersOf(db, { kind, subject, conversationId: place.id }, mentions)
  const aboutId = about ?? place.about
  const comment = await insert(context, {
    type,
    subject,
    subjectId: id,
    conversationId: place.id,
    aboutId,
    text,
    mentions,
  })
  await mention(context, kind, place.id, mentions)
  await changed(db, 'qc', place.id)
  await changed(db, 'dossiers')
  return comment
}

/** Writes a comment on the dossier of a person. Only people who may read it can be mentioned. */
export async function writeOnDossier(
  context: Context,
  { userId, text, notifyUsers = [] }: { userId: number; text: Text; notifyUsers?: number[] | undefined },
): Promise<Comment> {
  const { db } = context
  const mentions = [...new Set(notifyUsers)]
  await checkMentions(db, mentions, ofDossiers)
  const place = { subject: 'dossier', subjectId: userId, conversationId: null, aboutId: userId } as const
  const comment = await insert(context, { type: 'comment', ...place, text, mentions })
  await mentionInDossier(context, userId, mentions)
  await changed(db, 'dossiers')
  return comment
}

interface Fresh {
  type: Wish['type']
  subject: Comment['subject']
  subjectId: number
  conversationId: number | null
  aboutId: number | null
  text: Text
  mentions: number[]
}
async function insert({ db, staff, audit }: Context, { text, ...fields }: Fresh): Promise<Comment> {
  const content = typeof text === 'string' ? text : text.content
  const [made] = await db
    .insert(qcComments)
    .values({ ...fields, content, createdBy: staff.id })
    .returning({ id: qcComments.id })
  const comment = await readComment(db, made!.id) // one inserted row returns one row
  audit.after(logged(comment))
  return comment
}

/** The comment for the action log, which keeps no words of comments. */
const logged = ({ subject: on, ...comment }: Comment) => ({ ...comment, on })

const checkMentions = (db: Db, ids: readonly number[], reading: { may: readonly string[]; what: string }) =>
  checkReaders(db, ids, 'notifyUsers', reading)
const ofDossiers = { may: ['dossier:comment:read'], what: 'comments on dossiers' }

/** Mentioned people must be able to open what the comment is on. */
async function checkReadersOf(
  db: Db,
  { kind, subject, conversationId }: { kind: Kind; subject: Comment['subject']; conversationId: number },
  ids: readonly number[],
): Promise<void> {
  await checkMentions(db, ids, { may: [`qa:${kind}:read`], what: `${kind}s` })
  if (subject === 'feedback') await checkMentions(db, ids, { may: ['qa:feedback:read'], what: 'feedback' })
  for (const one of ids) await checkReachOf(db, one, conversationId, 'notifyUsers')
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
  // before the version: a 409 contains the text
  if (before.author.id !== staff.id && !staff.isAdmin)
    throw refused(`${before.author.name} wrote the ${type}. Only they change it.`)
  checkVersion(before, version, `The ${type}`)
  const added = [...new Set(notifyUsers)].filter((one) => !before.mentions.includes(one))
  await checkPeople(db, added, 'notifyUsers')
  const { conversationKind: kind, conversationId, subject } = before
  if (kind && conversationId) await checkReadersOf(db, { kind, subject, conversationId }, added)
  else await checkMentions(db, added, ofDossiers)
  await db.insert(qcCommentEdits).values({ commentId: id, by: staff.id, content: before.content })
  await db
    .update(qcComments)
    .set({ content, mentions: [...before.mentions, ...added], editedAt: sql`now()`, ...nextVersion })
    .where(eq(qcComments.id, id))
  if (before.conversationId)
    await mention(context, await kindOf(db, before.conversationId), before.conversationId, added)
  else if (before.subject === 'dossier') await mentionInDossier(context, before.subjectId, added)
  const after = await readComment(db, id)
  audit.after(logged(after))
  await hint(db, before)
  return after
}

export async function erase(context: Context, type: Wish['type'], id: number): Promise<void> {
  const { db, staff } = context
  const comment = await hold(context, type, id)
  if (comment.about?.id === staff.id && comment.author.id !== staff.id)
    throw outOfReach(`The ${type} is about you: ${comment.author.name}, or somebody else, deletes it`)
  await db
    .update(qcComments)
    .set({ deletedAt: sql`now()`, ...nextVersion })
    .where(eq(qcComments.id, id))
  await hint(db, comment)
}

async function hint(db: Db, { conversationId }: Comment): Promise<void> {
  if (conversationId) await changed(db, 'qc', conversationId)
  await changed(db, 'dossiers')
}

/**
 * Locks and reads a comment. 404 for comments on dossiers if the caller may not read these, and 403 for comments of
 * others on a conversation if the caller may read neither the conversation nor its comments.
 */
async function hold(context: Context, type: Wish['type'], id: number): Promise<Comment> {
  const { db, audit, staff } = context
  const place = await placeOf(db, 'qc_comments', 'qc_comment_id', id)
  if (place) await holdConversation(db, place)
  await rows(db, sql`select from qc_comments where qc_comment_id = ${id} for update`)
  const comment = await readComment(db, id)
  if (comment.type !== type) throw notFound(type, id)
  if (comment.subject === 'dossier' && !holds(staff, 'dossier:comment:read')) throw notFound(type, id)
  const { conversationId, conversationKind: kind, about, author } = comment
  if (conversationId && kind && author.id !== staff.id && !holds(staff, `dossier:${kind}-comment:read`))
    await checkReads(context, kind, { id: conversationId, about: about?.id ?? null })
  audit.before(logged(comment))
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

/** Notifies mentioned people without quoting, because they may not be allowed to read the conversation. */
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

const mentionInDossier = ({ db, staff }: Context, userId: number, people: readonly number[]) =>
  notify(db, {
    to: people.filter((one) => one !== staff.id),
    reason: 'quality',
    title: `${staff.name} mentioned you`,
    body: 'In a comment on a dossier.',
    link: `/qc/dossiers/${userId}`,
  })
