import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { deletable, identity, instant, stored } from '../../kit/db/columns.ts'
import { departments } from '../departments/tables.ts'
import { roles } from '../roles/tables.ts'

/** Users who sign in: staff. Customers are owners. */
export const users = pgTable(
  'users',
  {
    id: identity('user_id'),
    username: text().notNull(),
    email: text().notNull(),
    firstName: text().notNull(),
    lastName: text().notNull(),
    /** argon2id hash with its parameters; empty until a password is set, and then no password matches. */
    passwordHash: text().notNull(),
    mustChangePassword: boolean().notNull().default(false),
    isAdmin: boolean().notNull().default(false),
    roleId: integer().references(() => roles.id),
    departmentId: integer().references(() => departments.id),
    /** Null: the theme of the operating system. */
    darkTheme: boolean(),
    showReviewedEscalations: boolean().notNull().default(false),
    profileImage: text(),
    lastSignInAt: instant(),
    /** True: an account of a program, which never signs in; `service_accounts` has the rest. */
    isService: boolean().notNull().default(false),
    /** The account exists and nobody can sign in with it. */
    suspendedAt: instant(),
    /** Person who made the link or first password of this account's latest first sign-in; see reach.ts. */
    letInById: integer(),
    letInAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`
    const name = sql`lower(${t.firstName} || ' ' || ${t.lastName})`
    return [
      uniqueIndex('users_username').on(sql`lower(${t.username})`).where(live),
      uniqueIndex('users_unique_email').on(sql`lower(${t.email})`).where(live),
      index('users_name').on(name, t.id).where(live),
      index('users_by_username').on(sql`lower(${t.username})`, t.id).where(live),
      index('users_email').on(sql`lower(${t.email})`, t.id).where(live),
      index('users_created').on(t.createdAt, t.id).where(live),
      index('users_last_sign_in').on(sql`coalesce(${t.lastSignInAt}, 'epoch')`, t.id).where(live),
      index('users_department').on(t.departmentId, name, t.id).where(live),
      index('users_role').on(t.roleId, name, t.id).where(live),
      index('users_administrators').on(name, t.id).where(sql`${live} and ${t.isAdmin}`),
      index('users_search').using(
        'gin',
        sql`lower(${t.firstName} || ' ' || ${t.lastName} || ' ' || ${t.username} || ' ' || ${t.email}) gin_trgm_ops`,
      ),
    ]
  },
)

/**
 * Departments that people have left. A person was in the department of the first row that ends after an instant, else in the
 * present one. Before their first department, people count for that one.
 */
export const formerDepartments = pgTable(
  'former_departments',
  {
    id: identity('former_department_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    departmentId: integer()
      .notNull()
      .references(() => departments.id),
    /** Filled by a trigger of `users`. */
    until: instant().notNull().default(sql`now()`),
  },
  (t) => [index('former_departments_user').on(t.userId, t.until)],
)

/**
 * Rights that people lost. Triggers on `users` and `roles` write them, so that every change is covered. A recently lost
 * right still protects the person; see reach.ts.
 */
export const heldRights = pgTable(
  'held_rights',
  {
    id: identity('held_right_id'),
    userId: integer()
      .notNull()
      .references(() => users.id),
    isAdmin: boolean().notNull(),
    scopes: text().array().notNull(),
    until: instant().notNull().default(sql`now()`),
  },
  (t) => [index('held_rights_user').on(t.userId, t.until), index('held_rights_until').on(t.until)],
)
