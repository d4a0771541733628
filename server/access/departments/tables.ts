import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, stored } from '../../kit/db/columns.ts'

export const departments = pgTable(
  'departments',
  {
    id: identity('department_id'),
    name: text().notNull(),
    description: text(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('departments_unique_name').on(sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`),
    index('departments_name').on(t.name, t.id).where(sql`${t.deletedAt} is null`),
    index('departments_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('departments_search').using('gin', sql`lower(${t.name}) gin_trgm_ops`),
  ],
)
