import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { identity, instant, stored } from '../../kit/db/columns.ts'
import { departments } from '../departments/tables.ts'
import { roles } from '../roles/tables.ts'
import { users } from '../users/tables.ts'

/** Identity providers by which people sign in (OpenID Connect), and which keep accounts (SCIM). */
export const identityProviders = pgTable('identity_providers', {
  id: identity('provider_id'),
  name: text().notNull(),
  issuer: text().notNull(),
  /** The secret of the client is in `secrets`. */
  clientId: text().notNull(),
  scopes: text().notNull(),
  /** Name of the claim with the person's groups. */
  groupsClaim: text().notNull(),
  isEnabled: boolean().notNull().default(true),
  /** Whose first sign-in makes an account. */
  makesAccounts: text({ enum: ['nobody', 'mapped', 'everybody'] })
    .notNull()
    .default('nobody'),
  /** Whether the first sign-in finds an account by a verified e-mail address. */
  linksByEmail: boolean().notNull().default(false),
  /** What becomes of people whom the provider removes. */
  leavers: text({ enum: ['suspend', 'delete'] })
    .notNull()
    .default('suspend'),
  /** Receives the records of deleted people. */
  heirId: integer().references(() => users.id),
  /** Hash of the token with which the provider keeps accounts. */
  scimHash: text().unique(),
  scimMadeAt: instant(),
  scimUsedAt: instant(),
  ...stored(),
})

/** What members of a group get. The first row with a role gives the role, the first with a department the department. */
export const groupMappings = pgTable(
  'group_mappings',
  {
    id: identity('mapping_id'),
    providerId: integer()
      .notNull()
      .references(() => identityProviders.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    groupName: text().notNull(),
    roleId: integer().references(() => roles.id),
    departmentId: integer().references(() => departments.id),
  },
  (t) => [index('group_mappings_provider').on(t.providerId, t.position)],
)

/** A person as a provider knows them. */
export const identities = pgTable(
  'identities',
  {
    id: identity('identity_id'),
    providerId: integer()
      .notNull()
      .references(() => identityProviders.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id),
    /** Null until the first sign-in of a person whom SCIM made. */
    subject: text(),
    externalId: text(),
    /** Groups of the latest sign-in. */
    groups: text().array().notNull().default(sql`'{}'`),
    /** What the mapping gave: only these are taken away again. */
    gaveRoleId: integer(),
    gaveDepartmentId: integer(),
    lastSignInAt: instant(),
    ...stored(),
  },
  (t) => [
    uniqueIndex('identities_subject').on(t.providerId, t.subject),
    uniqueIndex('identities_external').on(t.providerId, t.externalId),
    uniqueIndex('identities_of_user').on(t.providerId, t.userId),
    index('identities_user').on(t.userId),
  ],
)

/** Sign-ins under way. A row is used once. */
export const signInFlows = pgTable(
  'sign_in_flows',
  {
    /** Hash of the state. */
    state: text().primaryKey(),
    providerId: integer()
      .notNull()
      .references(() => identityProviders.id, { onDelete: 'cascade' }),
    /** Hash of the cookie: the flow ends in the browser in which it began. */
    browser: text().notNull(),
    nonce: text().notNull(),
    verifier: text().notNull(),
    /** Path of the page that was asked for. */
    to: text(),
    expiresAt: instant().notNull(),
  },
  (t) => [index('sign_in_flows_expiry').on(t.expiresAt)],
)

/** How people sign in at all. */
export const signInSettings = pgTable(
  'sign_in_settings',
  {
    only: integer().primaryKey().default(1),
    /** False: passwords sign in nobody except the break-glass administrator. */
    passwords: boolean().notNull().default(true),
    /** The administrator whose password always signs in. */
    breakGlassId: integer().references(() => users.id),
    /** True: a second factor is removed by two administrators together. */
    twoForRecovery: boolean().notNull().default(false),
    ...stored(),
  },
  (t) => [check('sign_in_settings_one', sql`${t.only} = 1`)],
)

/** Groups that a provider keeps by SCIM. */
export const providerGroups = pgTable(
  'provider_groups',
  {
    id: identity('provider_group_id'),
    providerId: integer()
      .notNull()
      .references(() => identityProviders.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    externalId: text(),
    ...stored(),
  },
  (t) => [
    uniqueIndex('provider_groups_name').on(t.providerId, sql`lower(${t.name})`),
    index('provider_groups_external').on(t.providerId, t.externalId),
  ],
)

export const providerGroupMembers = pgTable(
  'provider_group_members',
  {
    groupId: integer()
      .notNull()
      .references(() => providerGroups.id, { onDelete: 'cascade' }),
    identityId: integer()
      .notNull()
      .references(() => identities.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.groupId, t.identityId] }),
    index('provider_group_members_identity').on(t.identityId),
  ],
)
