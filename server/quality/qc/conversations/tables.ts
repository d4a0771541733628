import { kinds, populations, statuses } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import { doublePrecision, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { departments } from '../../../access/departments/tables.ts'
import { users } from '../../../access/users/tables.ts'
import { identity, instant, stored } from '../../../kit/db/columns.ts'
import { qcIdentities, qcSources } from '../imports/tables.ts'

const who = () => integer().references(() => users.id)

export const qcConversations = pgTable(
  'qc_conversations',
  {
    id: identity('qc_conversation_id'),
    kind: text({ enum: kinds }).notNull(),
    sourceId: integer()
      .notNull()
      .references(() => qcSources.id),
    externalId: text().notNull(),
    /** Hash of the item as the source sent it. An import with the same hash changes nothing. */
    digest: text().notNull(),
    subject: text().notNull(),
    customerName: text().notNull(),
    customerEmail: text().notNull(),
    /** The agent with the most messages; null if no agent of the conversation is mapped to a person. */
    agentId: who(),
    /** All known agents who wrote. */
    agentIds: integer().array().notNull(),
    /** Department of the agent at the last message. */
    departmentId: integer().references(() => departments.id),
    startedAt: instant().notNull(),
    lastAt: instant().notNull(),
    messages: integer().notNull(),
    csat: smallint(),
    tagIds: integer().array().notNull().default(sql`'{}'`),
    status: text({ enum: statuses }).notNull(),
    queuedAt: instant(),
    queuedBy: text({ enum: populations }),
    /** The cron filter that queued the ticket last. */
    queuedByFilter: integer(),
    holderId: who(),
    holdsUntil: instant(),
    assigneeId: who(),
    assignReason: text(),
    /** Only this person can review the conversation until `postponedUntil`. */
    postponedBy: who(),
    postponedUntil: instant(),
    /** Mean score of its reviews. */
    score: doublePrecision(),
    reviewedAt: instant(),
    reviewedBy: who(),
    /** The source's id of the ticket into which this one was merged; `mergedIntoId` is its row once it is imported. */
    mergedInto: text(),
    mergedIntoId: integer(),
    /** Since when the item is deleted in the source. */
    goneAt: instant(),
    /** The last message that reviews cover, if others follow in the source: the part since may be reviewed again. */
    reopenedSince: instant(),
    /** When the customer’s data was removed, by the retention rule or on request. */
    redactedAt: instant(),
    ...stored(),
  },
  (t) => {
    const queued = sql`${t.status} = 'queued'`
    const archived = sql`${t.status} <> 'queued'`
    return [
      uniqueIndex('qc_conversations_external').on(t.sourceId, t.kind, t.externalId),
      index('qc_conversations_merges')
        .on(t.sourceId, t.kind, t.mergedInto)
        .where(sql`${t.mergedInto} is not null and ${t.mergedIntoId} is null`),
      index('qc_conversations_filter')
        .on(t.queuedByFilter, t.agentId, t.queuedAt)
        .where(sql`${t.queuedByFilter} is not null`),
      index('qc_conversations_queue').on(t.kind, t.queuedAt, t.id).where(queued),
      index('qc_conversations_queue_last').on(t.kind, t.lastAt, t.id).where(queued),
      index('qc_conversations_archive').on(t.kind, t.lastAt, t.id).where(archived),
      index('qc_conversations_all').on(t.kind, t.lastAt, t.id),
      index('qc_conversations_agent').on(t.agentId, t.kind, t.lastAt, t.id),
      index('qc_conversations_department').on(t.departmentId, t.kind, t.lastAt, t.id),
      index('qc_conversations_source').on(t.sourceId, t.kind, t.lastAt, t.id),
      index('qc_conversations_score').on(t.kind, t.score, t.id).where(sql`${t.score} is not null`),
      index('qc_conversations_reviewed').on(t.kind, t.reviewedAt, t.id).where(sql`${t.reviewedAt} is not null`),
      index('qc_conversations_messages').on(t.kind, t.messages, t.id),
      index('qc_conversations_queue_messages').on(t.kind, t.messages, t.id).where(queued),
      index('qc_conversations_archive_queued')
        .on(t.kind, t.queuedAt, t.id)
        .where(sql`${archived} and ${t.queuedAt} is not null`),
      // queued items have no score: these indexes are empty, so that a sort by score need not scan the whole archive
      index('qc_conversations_queue_score').on(t.kind, t.score, t.id).where(sql`${queued} and ${t.score} is not null`),
      index('qc_conversations_queue_reviewed')
        .on(t.kind, t.reviewedAt, t.id)
        .where(sql`${queued} and ${t.reviewedAt} is not null`),
      index('qc_conversations_imported').on(t.kind, t.lastAt, t.id).where(sql`${t.status} = 'imported'`),
      index('qc_conversations_retention').on(t.kind, t.lastAt).where(sql`${t.redactedAt} is null`),
      index('qc_conversations_held').on(t.holderId).where(sql`${t.holderId} is not null`),
      index('qc_conversations_postponed').on(t.postponedBy).where(sql`${t.postponedBy} is not null`),
      index('qc_conversations_assigned').on(t.assigneeId).where(sql`${t.assigneeId} is not null`),
      index('qc_conversations_tags').using('gin', t.tagIds),
      index('qc_conversations_customer').on(sql`lower(${t.customerEmail})`),
      index('qc_conversations_search').using(
        'gin',
        sql`lower(${t.subject} || ' ' || ${t.customerName} || ' ' || ${t.customerEmail} || ' ' || ${t.externalId}) gin_trgm_ops`,
      ),
    ]
  },
)

export interface MessageFile {
  name: string
  size: number
  url: string
}

export const qcMessages = pgTable(
  'qc_messages',
  {
    id: identity('qc_message_id'),
    conversationId: integer()
      .notNull()
      .references(() => qcConversations.id),
    externalId: text().notNull(),
    at: instant().notNull(),
    kind: text({ enum: ['message', 'note', 'event'] }).notNull(),
    role: text({ enum: ['agent', 'customer', 'bot', 'system'] }).notNull(),
    author: text().notNull(),
    /** The author as the source names them; null for customers. */
    identityId: integer().references(() => qcIdentities.id),
    userId: who(),
    body: text().notNull(),
    editedAt: instant(),
    /** When the source removed the message. */
    removedAt: instant(),
    files: jsonb().$type<MessageFile[]>().notNull().default([]),
  },
  (t) => [
    uniqueIndex('qc_messages_external').on(t.conversationId, t.externalId),
    index('qc_messages_identity').on(t.identityId),
    index('qc_messages_in_order').on(t.conversationId, t.at, t.id),
  ],
)
