import * as z from 'zod'
import { Session } from './auth.ts'
import {
  csv,
  del,
  filter,
  get,
  id,
  instant,
  line,
  listQuery,
  pageOf,
  paging,
  patch,
  post,
  stored,
  version,
} from './kit.ts'
import { password } from './passwords.ts'

/** Somebody of the staff. */
export const User = z.object({
  ...stored,
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  name: z.string(),
  isAdmin: z.boolean(),
  roleId: z.int().nullable(),
  roleName: z.string().nullable(),
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  profileImage: z.string().nullable(),
  /** Has a second factor. */
  secondFactor: z.boolean(),
  /** Has to choose a new password at the next sign-in. */
  mustChangePassword: z.boolean(),
  lastSignInAt: instant.nullable(),
  /** Too many wrong passwords: nobody signs in under this name until then. */
  lockedUntil: instant.nullable(),
})
export type User = z.output<typeof User>

const username = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(60)
  .regex(/^[a-z0-9][a-z0-9._@-]*$/i, 'Letters a to z, digits and . _ @ -, a letter or digit first')
const fields = {
  username,
  email: z.email('An address such as name@example.org').max(254),
  firstName: line(80),
  lastName: line(80),
  roleId: id.nullable().optional(),
  departmentId: id.nullable().optional(),
  isAdmin: z.boolean().optional(),
}
const changes = z.object(fields).partial().shape

/** One of these, never both: a link that is used once, or a first password that has to be changed. */
export const Link = z.object({ link: z.string(), expiresAt: instant })
export type Link = z.output<typeof Link>

/** What somebody holds that has to be handed over before the account goes. */
export const Holding = z.object({ key: z.string(), label: z.string(), count: z.int() })
export type Holding = z.output<typeof Holding>

const list = { ...listQuery(['name', 'username', 'email', 'lastSignInAt', 'createdAt']) }
const search = filter(z.string().trim().max(120))
export const userFilters = {
  search,
  department: filter(csv(id)),
  role: filter(csv(id)),
  /** Who holds one of them: by their role, or as administrators. */
  scope: filter(csv(z.string().max(100))),
  kind: filter(z.enum(['administrator', 'staff'])),
  secondFactor: filter(z.enum(['on', 'off'])),
  state: filter(z.enum(['locked', 'never-signed-in', 'without-role'])),
}
const READ = 'users:user:read'
const found = pageOf(User)

export const users = {
  list: get('/auth/users', READ, { summary: 'Staff', query: { ...list, ...userFilters }, returns: found }),
  create: post('/auth/users', 'users:user:create', {
    summary: 'Create a staff account; answers its one-use link where no password is given',
    body: { ...fields, password: password.optional() },
    returns: User.extend({ link: Link.optional() }),
  }),
  qa: get('/auth/users/qa', READ, {
    summary: 'Who reviews: holders of qa:chat:review or qa:ticket:review',
    query: { ...paging(), search },
    returns: found,
  }),
  qaManagers: get('/auth/users/qa-managers', READ, {
    summary: 'Holders of qa:manager:access',
    query: { ...paging(), search },
    returns: found,
  }),
  shiftManagers: get('/auth/users/shift-managers', READ, {
    summary: 'Holders of calendar:shift:create',
    query: { ...paging(), search },
    returns: found,
  }),
  byEmails: post('/auth/users/emails', READ, {
    summary: 'Staff by their addresses',
    effect: 'read',
    body: { emails: z.array(z.string().max(254)).max(1000) },
    status: 200,
    returns: z.object({ items: z.array(User), total: z.int() }),
  }),
  byIds: post('/auth/users/ids', READ, {
    summary: 'Staff by their ids',
    effect: 'read',
    body: { ids: z.array(id).max(1000) },
    status: 200,
    returns: z.object({ items: z.array(User), total: z.int() }),
  }),
  ofDepartment: get('/auth/users/department/:id', READ, {
    summary: 'Staff of one department',
    query: { ...list, search },
    returns: found,
  }),
  ofScope: get('/auth/users/scopes/:scope', READ, {
    summary: 'Who holds a permission: by their role, or as administrators',
    params: { scope: z.string().max(100) },
    query: { ...list, search },
    returns: found,
  }),
  one: get('/auth/users/:id', READ, { summary: 'One of the staff', returns: User }),
  update: patch('/auth/users/:id', 'users:user:update', {
    summary: 'Change a staff account; the fields may stand in `userData`, too',
    body: { ...changes, version, userData: z.object(changes).optional() },
    returns: User,
  }),
  remove: del('/auth/users', 'users:user:delete', {
    summary: 'Delete a staff account; `heir` gets what it holds',
    body: { id, heir: id.optional(), version },
    status: 204,
    aliases: ['/auth/users/:id'],
  }),
  holdings: get('/auth/users/:id/holdings', 'users:user:delete', {
    summary: 'What has to be handed over before this account can go',
    returns: z.object({ items: z.array(Holding), total: z.int() }),
  }),
  forceLogout: post('/auth/forceLogout', 'users:user:force-logout', {
    summary: 'Sign somebody out everywhere, at once',
    body: { userId: id },
    status: 200,
    returns: z.object({ ended: z.int() }),
  }),
  sessions: get('/auth/users/:id/sessions', 'users:user:force-logout', {
    summary: 'Where somebody is signed in, newest first',
    returns: z.object({ items: z.array(Session), total: z.int() }),
  }),
  endSession: del('/auth/users/:id/sessions/:session', 'users:user:force-logout', {
    summary: 'Sign somebody out in one place',
  }),
  link: post('/auth/users/:id/link', 'users:user:update', {
    summary: 'A new one-use link; the one before ends',
    returns: Link,
  }),
  setPassword: post('/auth/users/:id/password', 'users:user:update', {
    summary: 'A first password, to be changed at the next sign-in; all sessions end',
    body: { password },
    status: 204,
  }),
  unlock: post('/auth/users/:id/unlock', 'users:user:update', {
    summary: 'Forget the wrong passwords that locked an account',
    status: 204,
  }),
  dropSecondFactor: del('/auth/users/:id/second-factor', 'users:user:update', {
    summary: 'Take the second factor off, for somebody who lost it',
  }),
}
