import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, stored } from '../../kit/db/columns.ts'
import { departments } from '../departments/tables.ts'

/** A named set of permissions. */
export const roles = pgTable(
  'roles',
  {
    id: identity('role_id'),
    name: text().notNull(),
    description: text(),
    scopes: text().array().notNull().default(sql`'{}'`),
    /** Only for this department. */
    departmentId: integer().references(() => departments.id),
    requiresSecondFactor: boolean().notNull().default(false),
    /** Longest session, and longest time without a call; null: as everybody. */
    sessionHours: integer(),
    sessionIdleMinutes: integer(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('roles_unique_name').on(sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`),
    index('roles_name').on(t.name, t.id).where(sql`${t.deletedAt} is null`),
    index('roles_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('roles_department').on(t.departmentId, t.name, t.id).where(sql`${t.deletedAt} is null`),
    index('roles_scopes').using('gin', t.scopes),
    index('roles_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
  ],
)
