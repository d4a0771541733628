import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identity, instant, stored } from '../../kit/db/columns.ts'
import { systemUsers } from '../systemUsers/tables.ts'

/** SFTP access of accounts. An account without a row never had access. */
export const sftpAccess = pgTable('sftp_access', {
  systemUserId: integer()
    .primaryKey()
    .references(() => systemUsers.id),
  state: text({ enum: ['off', 'enabling', 'on', 'disabling'] })
    .notNull()
    .default('off'),
  passwordSetAt: instant(),
  /** Change of the password by the running workflow. */
  passwordChange: text({ enum: ['setting', 'removing'] }),
  /** Port as the server reported it. */
  port: integer().notNull().default(22),
  hostKeys: text().array().notNull().default(sql`'{}'`),
  ...stored(),
})

/** Public keys of accounts. */
export const sftpKeys = pgTable(
  'sftp_keys',
  {
    id: identity('sftp_key_id'),
    systemUserId: integer()
      .notNull()
      .references(() => systemUsers.id),
    type: text().notNull(),
    body: text().notNull(),
    fingerprint: text().notNull(),
    comment: text().notNull(),
    addedBy: text().notNull(),
    expiresAt: instant(),
    state: text({ enum: ['adding', 'active', 'removing'] }).notNull(),
    ...stored(),
  },
  (t) => [
    index('sftp_keys_account').on(t.systemUserId, t.id),
    uniqueIndex('sftp_keys_once').on(t.systemUserId, t.fingerprint),
  ],
)
