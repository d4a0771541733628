import { escalationStatuses, kinds, priorities } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '../../../access/users/tables.ts'
import { identity, instant, stored } from '../../../kit/db/columns.ts'
import { qcConversations } from '../conversations/tables.ts'

export const qcEscalations = pgTable(
  'qc_escalations',
  {
    id: identity('qc_escalation_id'),
    kind: text({ enum: kinds }).notNull(),
    conversationId: integer()
      .notNull()
      .references(() => qcConversations.id),
    agentIds: integer().array().notNull(),
    reason: text().notNull(),
    description: text().notNull().default(''),
    priority: text({ enum: priorities }).notNull().default('medium'),
    status: text({ enum: escalationStatuses }).notNull().default('open'),
    assigneeId: integer().references(() => users.id),
    dueAt: instant(),
    /** The date of which people were reminded after it had passed. */
    remindedFor: instant(),
    reviewedAt: instant(),
    reviewedBy: integer(),
    ...stored(),
  },
  (t) => [
    uniqueIndex('qc_escalations_unique').on(t.conversationId).where(sql`${t.status} <> 'reviewed'`),
    index('qc_escalations_created').on(t.createdAt, t.id),
    index('qc_escalations_open').on(t.kind, t.createdAt, t.id).where(sql`${t.status} <> 'reviewed'`),
    index('qc_escalations_of_kind').on(t.kind, t.createdAt, t.id),
    index('qc_escalations_search').using('gin', sql`lower(${t.reason}) gin_trgm_ops`),
    index('qc_escalations_of_conversation').on(t.conversationId),
    index('qc_escalations_agents').using('gin', t.agentIds),
    index('qc_escalations_assignee').on(t.assigneeId).where(sql`${t.status} <> 'reviewed'`),
  ],
)
