import type { qcChats as contract } from '@innkeeper/contract/quality/qc/conversations'
import type { Conversation } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { checkPeople } from '../../../access/users/exist.ts'
import { checkReaders } from '../../../access/users/readers.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { checkReach, checkReachOf } from '../reach.ts'
import { checkMayRead } from '../rights.ts'
import { readQueueSettings } from '../settings/queue.ts'
import { checkTags } from '../settings/tags.ts'
import { conditions, isArchived, isQueued, listWithWords } from './list.ts'
import { readPage } from './page.ts'
import { readConversation } from './view.ts'

type Calls = 'archive' | 'queue' | 'one' | 'lease' | 'release' | 'assign' | 'enqueue' | 'tag'

/** Calls for the lists, and for the queue status of one conversation, of chats or of tickets. */
export const queueHandlers = (kind: Kind): Pick<Handlers<typeof contract>, Calls> => ({
  archive: async (input, context) =>
    listWithWords(context.db, kind, [isArchived, ...(await conditions(context, kind, input))], input),

  queue: async (input, context) =>
    listWithWords(context.db, kind, [isQueued, ...(await conditions(context, kind, input))], input),

  one: ({ id }, context) => readPage(context, id, kind),

  async lease({ id }, { db, staff }) {
    await holdConversation(db, id, kind)
    checkMayRead(staff, kind)
    await checkReach({ db, staff }, id)
    const { holder } = await checkFree(db, id, staff.id)
    await takeLease(db, kind, id, staff.id)
    if (holder === null) await changed(db, 'qc', id) // a renewal changes nothing that others see
    return readConversation(db, id)
  },

  async release({ id }, { db, staff }) {
    await holdConversation(db, id, kind)
    const released = await rows(
      db,
      sql`update qc_conversations set holder_id = null, holds_until = null
        where qc_conversation_id = ${id} and holder_id = ${staff.id} returning qc_conversation_id`,
    )
    if (released.length) await changed(db, 'qc', id)
  },

  async assign({ id, assigneeId, reason, version }, context) {
    const { db, audit, staff } = context
    await holdConversation(db, id, kind)
    checkMayRead(staff, kind)
    await checkReach({ db, staff }, id)
    const before = await readConversation(db, id, kind)
    audit.of(kind, id)
    audit.before(before)
    checkVersion(before, version, before.externalId)
    if (assigneeId !== null) {
      await checkPeople(db, [assigneeId], 'assigneeId')
      await checkReaders(db, [assigneeId], 'assigneeId', { may: [`qa:${kind}:read`], what: `${kind}s` })
      await checkReachOf(db, assigneeId, id)
    }
    await set(
      db,
      id,
      // assigning the item to another person ends a postponement
      sql`assignee_id = ${assigneeId}, assign_reason = ${reason ?? null}, holder_id = null, holds_until = null,
        postponed_until = case when ${assigneeId}::int is null or postponed_by = ${assigneeId} then postponed_until end,
        postponed_by = case when ${assigneeId}::int is null or postponed_by = ${assigneeId} then postponed_by end`,
    )
    const after = await readConversation(db, id)
    audit.after(after)
    if (assigneeId !== null && assigneeId !== staff.id)
      await notify(db, {
        to: [assigneeId],
        reason: 'quality',
        title: `A ${kind} is yours to review`,
        body: `${staff.name} assigned the ${kind} ${before.externalId} to you.`,
        link: `/qc-v2/${kind}s/queue${kind === 'chat' ? `/${id}` : ''}`,
      })
    await changed(db, 'qc', id)
    return after
  },

  async enqueue({ id }, { db, staff, audit }) {
    await holdConversation(db, id, kind)
    checkMayRead(staff, kind)
    await checkReach({ db, staff }, id)
    const before = await readConversation(db, id, kind)
    audit.of(kind, id)
    audit.before(before)
    if (before.mergedInto || before.goneAt) throw refused(`The ${kind} is merged or deleted in its source`)
    refuseErased(before)
    if (before.status === 'reviewed' && !before.reopenedSince)
      throw conflict(`The ${kind} is already reviewed`, { current: before })
    if (before.status !== 'queued') await set(db, id, sql`status = 'queued', queued_at = now(), queued_by = 'manual'`)
    const after = await readConversation(db, id)
    audit.after(after)
    await changed(db, 'qc', id)
    return after
  },

  async tag({ id, tags }, { db, staff, audit }) {
    await holdConversation(db, id, kind)
    checkMayRead(staff, kind)
    await checkReach({ db, staff }, id)
    const before = await readConversation(db, id)
    await checkTags(db, tags, kind, { had: before.tags.map((one) => one.id) })
    audit.before(before)
    await set(db, id, sql`tag_ids = ${sql.param([...new Set(tags)])}::int[]`)
    const after = await readConversation(db, id)
    audit.after(after)
    await changed(db, 'qc', id)
    return after
  },
})

/** Gives or renews the lease of a locked row, for the time in the settings. */
export async function takeLease(db: Db, kind: Kind, id: number, staffId: number): Promise<void> {
  const { leaseMinutes } = await readQueueSettings(db, kind)
  await set(db, id, sql`holder_id = ${staffId}, holds_until = now() + make_interval(mins => ${leaseMinutes})`)
}

const set = (db: Db, id: number, values: SQL) =>
  db.execute(
    sql`update qc_conversations set ${values}, version = version + 1, updated_at = now() where qc_conversation_id = ${id}`,
  )

/** Locks the row. 404 for a conversation of the other kind. */
export async function holdConversation(db: Db, id: number, kind?: Kind): Promise<void> {
  const [found] = await rows<{ kind: Kind }>(
    db,
    sql`select kind from qc_conversations where qc_conversation_id = ${id} for update`,
  )
  if (!found || (kind && found.kind !== kind)) throw notFound(kind ?? 'conversation', id)
}

/** An open form may quote words that were erased meanwhile: what is written about them is not stored. */
export function refuseErased({ kind, redactedAt }: Pick<Conversation, 'kind' | 'redactedAt'>): void {
  if (redactedAt) throw refused(`The words of the ${kind} were erased: nobody can review it`)
}

/**
 * Locks a conversation about which somebody writes something new, which no version guards. What was sent while its words were being erased
 * may quote them, and is not stored: 409 for a minute, so that its author reads the conversation again.
 */
export async function holdToWrite(db: Db, id: number, kind?: Kind): Promise<void> {
  await holdConversation(db, id, kind)
  const [erased] = await rows<{ kind: Kind }>(
    db,
    sql`select kind from qc_conversations where qc_conversation_id = ${id} and redacted_at > clock_timestamp() - interval '1 minute'`,
  )
  if (erased)
    throw conflict(
      `The words of the ${erased.kind} were erased a moment ago. Read it again before you write about it.`,
      {
        current: { id },
      },
    )
}

/** The conversation. Throws a 409 with the name of the person who has the item open or has postponed it. */
export async function checkFree(db: Db, id: number, staffId: number): Promise<Conversation> {
  const current = await readConversation(db, id)
  const { holder, postponedBy } = current
  if (holder && holder.id !== staffId) throw conflict(`${holder.name} has it open`, { current })
  if (postponedBy && postponedBy.id !== staffId) throw conflict(`${postponedBy.name} postponed it`, { current })
  return current
}
