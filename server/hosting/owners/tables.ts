import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, stored } from '../../kit/db/columns.ts'

export const owners = pgTable(
  'owners',
  {
    id: identity('owner_id'),
    name: text().notNull(),
    email: text().notNull(),
    externalId: text(),
    ...stored(),
    ...deletable(),
  },
  (t) => [
    index('owners_name').on(t.name, t.id).where(sql`${t.deletedAt} is null`),
    index('owners_email').on(t.email, t.id).where(sql`${t.deletedAt} is null`),
    index('owners_created').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('owners_search').using('gin', sql`lower(${t.name} || ' ' || ${t.email}) gin_trgm_ops`),
    uniqueIndex('owners_external').on(t.externalId).where(sql`${t.deletedAt} is null`),
  ],
)
