import { checks, countedHours, type Language, speakers } from '@innkeeper/contract/quality/qc/checks'
import { kinds, scopesOfUse } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../../kit/db/columns.ts'
import { qcConversations } from '../conversations/tables.ts'
import { qcScoreTypes } from '../settings/tables.ts'

const list = () => text().array().notNull().default(sql`'{}'`)
const ids = () => integer().array().notNull().default(sql`'{}'`)

/** Above the id of every conversation: a rule with this cursor judges all of them. */
export const FROM_THE_TOP = 2_147_483_647

/** Rules of automatic checks. */
export const qcCheckRules = pgTable(
  'qc_check_rules',
  {
    id: identity('qc_check_rule_id'),
    name: text().notNull(),
    description: text().notNull().default(''),
    check: text({ enum: checks }).notNull(),
    who: text({ enum: speakers }).notNull().default('agent'),
    words: list(),
    patterns: list(),
    minutes: integer().notNull().default(60),
    hours: text({ enum: countedHours }).notNull().default('clock'),
    hosts: list(),
    languages: list().$type<Language[]>(),
    closers: list().$type<('agent' | 'customer' | 'bot' | 'system')[]>(),
    below: integer().notNull().default(-5),
    usedFor: text({ enum: scopesOfUse }).notNull().default('all'),
    sourceIds: ids(),
    departmentIds: ids(),
    scoreTypeId: integer().references(() => qcScoreTypes.id),
    lowBelow: integer().notNull().default(60),
    isActive: boolean().notNull().default(true),
    /** Increases with each change that may change a result. A batch that has read an older one does not move the cursor. */
    revision: integer().notNull().default(1),
    /**
     * The sweep over all conversations goes from the latest to the first: those with a smaller id are still to be judged by
     * the rule. Null: all are.
     */
    cursor: integer().default(FROM_THE_TOP),
    /** Numbers of results in `qc_check_results`. */
    passed: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    ...stored(),
    ...deletable(),
  },
  (t) => [uniqueIndex('qc_check_rules_unique_name').on(sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`)],
)

/** What a failed check found: offsets in messages, and never their words. */
export interface Finding {
  rule: number
  value: number | null
  note: string | null
  /** Message, begin and end. */
  places: [number, number, number][]
}

/** The results of a conversation, by rule. A row without `checkedAt` waits for its first check. */
export const qcCheckResults = pgTable(
  'qc_check_results',
  {
    conversationId: integer()
      .primaryKey()
      .references(() => qcConversations.id),
    kind: text({ enum: kinds }).notNull(),
    passed: ids(),
    failed: ids(),
    failedCount: smallint().notNull().default(0),
    findings: jsonb().$type<Finding[]>().notNull().default([]),
    checkedAt: instant(),
    /** When the conversation is judged again by all rules: at once after a change, or when a time runs out. */
    dueAt: instant(),
  },
  (t) => [
    index('qc_check_results_due').on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index('qc_check_results_failed').using('gin', t.failed),
    index('qc_check_results_most').on(t.kind, t.failedCount, t.conversationId).where(sql`${t.failedCount} > 0`),
  ],
)
