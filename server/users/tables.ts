import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../kit/columns.ts'

export const roles = pgTable('roles', {
  id: identity('role_id'),
  name: text().notNull(),
  scopes: text().array().notNull().default(sql`'{}'`),
  ...stored(),
  ...deletable(),
})

export const departments = pgTable('departments', {
  id: identity('department_id'),
  name: text().notNull(),
  ...stored(),
  ...deletable(),
})

/** Who signs in: staff. Customers are owners. */
export const users = pgTable(
  'users',
  {
    id: identity('user_id'),
    username: text().notNull(),
    email: text().notNull(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    /** argon2id, with its parameters. */
    passwordHash: text().notNull(),
    isAdmin: boolean().notNull().default(false),
    roleId: integer().references(() => roles.id),
    departmentId: integer().references(() => departments.id),
    /** Null: not chosen, the system's own preference counts. */
    darkTheme: boolean(),
    showReviewedEscalations: boolean().notNull().default(false),
    profileImage: text(),
    ...stored(),
    ...deletable(),
  },
  (t) => [uniqueIndex('users_username').on(sql`lower(${t.username})`).where(sql`${t.deletedAt} is null`)],
)

/** The truth about a token: revoking the row ends it. `key` is the token's `iss`. */
export const sessions = pgTable(
  'sessions',
  {
    id: identity('session_id'),
    key: text().notNull().unique(),
    userId: integer()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull().default(sql`now()`),
    expiresAt: instant().notNull(),
    revokedAt: instant(),
    ip: text(),
    userAgent: text(),
  },
  (t) => [index('sessions_user').on(t.userId)],
)

/** By name as typed, existing or not, so that locking tells nothing about who exists. */
export const signInAttempts = pgTable('sign_in_attempts', {
  name: text().primaryKey(),
  failed: integer().notNull(),
  since: instant().notNull(),
})
