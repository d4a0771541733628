import { auditStatuses, componentStatuses } from '@innkeeper/contract/desk/scrums/shapes'
import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '../../access/users/tables.ts'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'

const who = () => integer().references(() => users.id)

export const scrumComponents = pgTable(
  'scrum_components',
  {
    id: identity('scrum_component_id'),
    name: text().notNull(),
    description: text().notNull().default(''),
    weight: integer().notNull().default(10),
    status: text({ enum: componentStatuses }).notNull().default('active'),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      uniqueIndex('scrum_components_unique_name').on(sql`lower(${t.name})`).where(live),
      index('scrum_components_name').on(t.name, t.id).where(live),
      index('scrum_components_weight').on(t.weight, t.id).where(live),
      index('scrum_components_created').on(t.createdAt, t.id).where(live),
      index('scrum_components_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
    ]
  },
)

export const scrumAudits = pgTable(
  'scrum_audits',
  {
    id: identity('scrum_audit_id'),
    name: text().notNull(),
    userId: who().notNull(),
    auditorId: who().notNull(),
    periodStart: date().notNull(),
    periodEnd: date().notNull(),
    status: text({ enum: auditStatuses }).notNull().default('draft'),
    scale: integer().notNull(),
    summary: text().notNull().default(''),
    /** Tenths of a percent; -1 if no component is scored, so that the list can be sorted by a column without nulls. */
    total: integer().notNull().default(-1),
    submittedAt: instant(),
    acknowledgedAt: instant(),
    remindedAt: instant(),
    reply: text().notNull().default(''),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      index('scrum_audits_period').on(t.periodEnd, t.id).where(live),
      index('scrum_audits_created').on(t.createdAt, t.id).where(live),
      index('scrum_audits_total').on(t.total, t.id).where(live),
      index('scrum_audits_user').on(t.userId, t.periodEnd, t.id).where(live),
      index('scrum_audits_auditor').on(t.auditorId, t.periodEnd, t.id).where(live),
      index('scrum_audits_waiting').on(t.submittedAt).where(sql`${t.status} = 'submitted'`),
      index('scrum_audits_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
      uniqueIndex('scrum_audits_once').on(t.auditorId, t.userId, t.periodStart, t.periodEnd).where(live),
    ]
  },
)

export const scrumAuditItems = pgTable(
  'scrum_audit_items',
  {
    id: identity('scrum_audit_item_id'),
    auditId: integer('scrum_audit_id')
      .notNull()
      .references(() => scrumAudits.id),
    componentId: integer('scrum_component_id')
      .notNull()
      .references(() => scrumComponents.id),
    name: text().notNull(),
    weight: integer().notNull(),
    score: integer(),
    comment: text().notNull().default(''),
  },
  (t) => [
    uniqueIndex('scrum_audit_items_once').on(t.auditId, t.componentId),
    index('scrum_audit_items_component').on(t.componentId),
  ],
)

/** An agreed action. Its state is the state of its internal ticket. */
export const scrumActions = pgTable(
  'scrum_actions',
  {
    id: identity('scrum_action_id'),
    auditId: integer('scrum_audit_id')
      .notNull()
      .references(() => scrumAudits.id),
    componentId: integer('scrum_component_id').references(() => scrumComponents.id),
    title: text().notNull(),
    /**
     * Id of an internal ticket. No foreign key, because the domain of trackers does not depend on audits and tickets
     * can be deleted.
     */
    ticketId: integer().notNull(),
    createdAt: instant().notNull().default(sql`now()`),
    createdBy: integer(),
  },
  (t) => [index('scrum_actions_audit').on(t.auditId), index('scrum_actions_ticket').on(t.ticketId)],
)

export const scrumSettings = pgTable(
  'scrum_settings',
  {
    only: integer().primaryKey().default(1),
    version: integer().notNull().default(1),
    scale: integer().$type<5 | 10 | 100>().notNull(),
    periodDays: integer().notNull(),
    commentBelow: integer().notNull(),
    remindDays: integer().notNull(),
  },
  (t) => [check('scrum_settings_one', sql`${t.only} = 1`)],
)
