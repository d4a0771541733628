import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identity, instant, stored } from '../../kit/db/columns.ts'
import { departments } from '../departments/tables.ts'
import { users } from '../users/tables.ts'

/** Tokens of programs. A value is stored as its SHA-256 only; it is random, so that no slow hash is needed. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: identity('api_token_id'),
    name: text().notNull(),
    userId: integer()
      .notNull()
      .references(() => users.id),
    /** The first letters of the value. */
    begins: text().notNull(),
    hash: text().notNull().unique(),
    /** The value before the last rotation, which is accepted until `previousUntil`. */
    previousHash: text().unique(),
    previousUntil: instant(),
    scopes: text().array().notNull(),
    departmentId: integer().references(() => departments.id),
    networks: text().array().notNull().default(sql`'{}'`),
    perMinute: integer().notNull(),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
    /** When the owner was told that the token expires soon. */
    toldAt: instant(),
    lastUsedAt: instant(),
    lastUsedIp: text(),
    ...stored(),
  },
  (t) => [
    uniqueIndex('api_tokens_unique_name').on(t.userId, sql`lower(${t.name})`).where(sql`${t.revokedAt} is null`),
    index('api_tokens_user').on(t.userId, t.createdAt, t.id),
    index('api_tokens_created').on(t.createdAt, t.id),
    index('api_tokens_name').on(t.name, t.id),
    index('api_tokens_expires').on(t.expiresAt, t.id),
    index('api_tokens_used').on(sql`coalesce(${t.lastUsedAt}, 'epoch')`, t.id),
  ],
)
