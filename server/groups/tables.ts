import { sql } from 'drizzle-orm'
import { type AnyPgColumn, index, integer, pgTable } from 'drizzle-orm/pg-core'
import { deletable, identity, stored } from '../kit/db/columns.ts'
import { owners } from '../owners/tables.ts'
import { websites } from '../websites/tables.ts'

/** Website groups. Members are the websites with the group's id, in the order of `groupPosition`. */
export const groups = pgTable(
  'website_groups',
  {
    id: identity('website_group_id'),
    ownerId: integer()
      .notNull()
      .references(() => owners.id),
    mainWebsite: integer()
      .notNull()
      .references((): AnyPgColumn => websites.id),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    return [
      index('website_groups_created').on(t.createdAt, t.id).where(live),
      index('website_groups_updated').on(t.updatedAt, t.id).where(live),
      index('website_groups_owner').on(t.ownerId, t.createdAt, t.id).where(live),
    ]
  },
)
