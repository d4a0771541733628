import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { stored } from '../../kit/db/columns.ts'
import { users } from '../users/tables.ts'

/** What a service account has besides its row in `users`, which holds its name, role and department. */
export const serviceAccounts = pgTable(
  'service_accounts',
  {
    id: integer('service_account_id')
      .primaryKey()
      .references(() => users.id),
    description: text(),
    ownerId: integer()
      .notNull()
      .references(() => users.id),
    ...stored(),
  },
  (t) => [index('service_accounts_owner').on(t.ownerId), index('service_accounts_created').on(t.createdAt, t.id)],
)
