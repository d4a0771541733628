import * as z from 'zod'
import { del, get, id, instant, line, patch, post, stored, version } from '../kit/endpoint.ts'

/** What members of a group of the provider get. */
const Mapping = z.object({
  group: line(200),
  roleId: id.nullable(),
  departmentId: id.nullable(),
})
const StoredMapping = z.object({
  group: z.string(),
  roleId: z.int().nullable(),
  roleName: z.string().nullable(),
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
})

export const makesAccounts = ['nobody', 'mapped', 'everybody'] as const
export const leavers = ['suspend', 'delete'] as const

/** An identity provider: people sign in by it (OpenID Connect), and it keeps accounts (SCIM). */
export const Provider = z.object({
  ...stored,
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  /** Whether a secret of the client is stored. */
  hasSecret: z.boolean(),
  scopes: z.string(),
  groupsClaim: z.string(),
  isEnabled: z.boolean(),
  /** Whose first sign-in makes an account: of nobody, of members of a mapped group, or of everybody. */
  makesAccounts: z.enum(makesAccounts),
  /** A first sign-in with a verified e-mail address finds the account with this address. */
  linksByEmail: z.boolean(),
  /** What becomes of people whom the provider removes. */
  leavers: z.enum(leavers),
  heirId: z.int().nullable(),
  heirName: z.string().nullable(),
  mappings: z.array(StoredMapping),
  /** People who are known by this provider. */
  people: z.int(),
  scimMadeAt: instant.nullable(),
  scimUsedAt: instant.nullable(),
})
export type Provider = z.output<typeof Provider>

const issuer = z
  .string()
  .trim()
  .max(300)
  .regex(
    /^(https:\/\/[A-Za-z0-9.-]{1,253}|http:\/\/(localhost|127\.0\.0\.1))(:\d{1,5})?(\/[A-Za-z0-9._~/-]{0,200})?$/,
    'An address such as https://login.example.org, without a query',
  )
  .refine((text) => URL.canParse(text), 'Is not an address')
const fields = {
  name: line(60),
  issuer,
  clientId: line(300),
  scopes: z
    .string()
    .trim()
    .regex(/^[\w:/.-]{1,80}( [\w:/.-]{1,80}){0,15}$/, 'Words with a space between: openid profile email')
    .refine((text) => text.split(' ').includes('openid'), 'Has to contain openid'),
  groupsClaim: z
    .string()
    .trim()
    .regex(/^[\w:/.-]{1,200}$/, 'The name of a claim, such as groups'),
  isEnabled: z.boolean(),
  makesAccounts: z.enum(makesAccounts),
  linksByEmail: z.boolean(),
  leavers: z.enum(leavers),
  heirId: id.nullable(),
  mappings: z.array(Mapping).max(200),
}
/** Write-only. Empty: the stored secret stays. */
const secret = z.string().trim().max(500).optional()

/** How people sign in at all. */
export const SignInSettings = z.object({
  version: z.int(),
  /** False: passwords sign in nobody except the break-glass administrator. */
  passwords: z.boolean(),
  breakGlassId: z.int().nullable(),
  breakGlassName: z.string().nullable(),
  /** True: a lost second factor is removed by two people together. */
  twoForRecovery: z.boolean(),
})
export type SignInSettings = z.output<typeof SignInSettings>

/** Why a sign-in by a provider failed: the end of the address `/login#failed=`. */
export const failures = {
  state: 'This sign-in was begun in another browser, took too long, or was used already. Begin again.',
  away: 'The identity provider does not answer. Try again in a moment.',
  refused: 'The identity provider refused the sign-in.',
  answer: 'The identity provider gave an answer that cannot be trusted. Tell an administrator.',
  off: 'This way to sign in is switched off.',
  unknown: 'You have no account here. Ask an administrator.',
  email: 'The identity provider did not confirm your e-mail address. Ask an administrator.',
  taken: 'An account with your e-mail address or user name exists already. Ask an administrator to link it.',
  suspended: 'Your account is suspended. Ask an administrator.',
} as const
export type Failure = keyof typeof failures

const READ = 'users:provider:read'
const UPDATE = 'users:provider:update'

export const providers = {
  ways: get('/auth/ways', 'public', {
    summary: 'The ways to sign in',
    returns: z.object({
      passwords: z.boolean(),
      providers: z.array(z.object({ id: z.int(), name: z.string() })),
    }),
  }),
  list: get('/auth/providers', READ, {
    summary: 'Identity providers',
    returns: z.object({ items: z.array(Provider), total: z.int() }),
  }),
  one: get('/auth/providers/:id', READ, { summary: 'One identity provider', returns: Provider }),
  create: post('/auth/providers', UPDATE, {
    summary: 'Add an identity provider',
    body: {
      ...fields,
      scopes: fields.scopes.default('openid profile email'),
      groupsClaim: fields.groupsClaim.default('groups'),
      isEnabled: fields.isEnabled.default(true),
      makesAccounts: fields.makesAccounts.default('nobody'),
      linksByEmail: fields.linksByEmail.default(false),
      leavers: fields.leavers.default('suspend'),
      heirId: fields.heirId.default(null),
      mappings: fields.mappings.default([]),
      secret,
    },
    returns: Provider,
  }),
  update: patch('/auth/providers/:id', UPDATE, {
    summary: 'Change an identity provider; people keep what the mapping gave them until their next sign-in',
    body: { ...z.object(fields).partial().shape, secret, version },
    returns: Provider,
  }),
  remove: del('/auth/providers/:id', UPDATE, {
    summary: 'Remove an identity provider; its people keep their accounts, and sessions by it end',
    body: { version },
  }),
  check: post('/auth/providers/:id/check', UPDATE, {
    summary: 'Ask an identity provider for its settings',
    effect: 'read',
    status: 200,
    returns: z.object({ answers: z.boolean(), message: z.string() }),
  }),
  makeScimToken: post('/auth/providers/:id/scim-token', UPDATE, {
    summary: 'Make the token with which the provider keeps accounts; only this answer contains it',
    status: 200,
    returns: z.object({ token: z.string() }),
  }),
  dropScimToken: del('/auth/providers/:id/scim-token', UPDATE, { summary: 'End the provider’s access to accounts' }),
  settings: get('/auth/sign-in-settings', READ, { summary: 'How people sign in', returns: SignInSettings }),
  configure: patch('/auth/sign-in-settings', UPDATE, {
    summary: 'Change how people sign in',
    body: {
      passwords: z.boolean().optional(),
      breakGlassId: id.nullable().optional(),
      twoForRecovery: z.boolean().optional(),
      version,
    },
    returns: SignInSettings,
  }),
}
