import * as z from 'zod'
import { csv, del, filter, get, id, line, listQuery, pageOf, paging, patch, post, version } from '../../kit/endpoint.ts'
import { password } from '../../kit/passwords.ts'
import { Session } from '../auth.ts'
import { Holding, Link, User } from './shapes.ts'

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

const list = { ...listQuery(['name', 'username', 'email', 'lastSignInAt', 'createdAt']) }
const search = filter(z.string().trim().max(120))
export const userFilters = {
  search,
  department: filter(csv(id)),
  role: filter(csv(id)),
  /** Accounts with one of these permissions, by role or as administrators. */
  scope: filter(csv(z.string().max(100))),
  kind: filter(z.enum(['administrator', 'staff'])),
  secondFactor: filter(z.enum(['on', 'off'])),
  state: filter(z.enum(['locked', 'suspended', 'never-signed-in', 'without-role'])),
}
const READ = 'users:user:read'
const found = pageOf(User)

export const users = {
  list: get('/auth/users', READ, { summary: 'Staff', query: { ...list, ...userFilters }, returns: found }),
  create: post('/auth/users', 'users:user:create', {
    summary: 'Create a staff account; answers a one-use link if no password is given',
    body: { ...fields, password: password.optional() },
    returns: User.extend({ link: Link.optional() }),
  }),
  qa: get('/auth/users/qa', READ, {
    summary: 'Reviewers: staff with qa:chat:review or qa:ticket:review',
    query: { ...paging(), search },
    returns: found,
  }),
  qaManagers: get('/auth/users/qa-managers', READ, {
    summary: 'Staff with qa:manager:access',
    query: { ...paging(), search },
    returns: found,
  }),
  shiftManagers: get('/auth/users/shift-managers', READ, {
    summary: 'Staff with calendar:shift:create',
    query: { ...paging(), search },
    returns: found,
  }),
  byEmails: post('/auth/users/emails', READ, {
    summary: 'Staff by e-mail addresses',
    effect: 'read',
    body: { emails: z.array(z.string().max(254)).max(1000) },
    status: 200,
    returns: z.object({ items: z.array(User), total: z.int() }),
  }),
  byIds: post('/auth/users/ids', READ, {
    summary: 'Staff by ids',
    effect: 'read',
    body: { ids: z.array(id).max(1000) },
    status: 200,
    returns: z.object({ items: z.array(User), total: z.int() }),
  }),
  ofDepartment: get('/auth/users/department/:id', READ, {
    summary: 'Staff of a department',
    query: { ...list, search },
    returns: found,
  }),
  ofScope: get('/auth/users/scopes/:scope', READ, {
    summary: 'Staff with a permission, by role or as administrators',
    params: { scope: z.string().max(100) },
    query: { ...list, search },
    returns: found,
  }),
  one: get('/auth/users/:id', READ, { summary: 'One staff account', returns: User }),
  update: patch('/auth/users/:id', 'users:user:update', {
    summary: 'Change a staff account; fields may also be in `userData`',
    body: { ...changes, version, userData: z.object(changes).optional() },
    returns: User,
  }),
  remove: del('/auth/users', 'users:user:delete', {
    summary: 'Delete a staff account; `heir` receives its objects',
    body: { id, heir: id.optional(), version },
    status: 204,
    aliases: ['/auth/users/:id'],
  }),
  holdings: get('/auth/users/:id/holdings', 'users:user:delete', {
    summary: 'Objects to transfer before the account can be deleted',
    returns: z.object({ items: z.array(Holding), total: z.int() }),
  }),
  forceLogout: post('/auth/forceLogout', 'users:user:force-logout', {
    summary: 'Sign a person out everywhere',
    body: { userId: id },
    status: 200,
    returns: z.object({ ended: z.int() }),
  }),
  sessions: get('/auth/users/:id/sessions', 'users:user:force-logout', {
    summary: 'Sessions of a person, newest first',
    returns: z.object({ items: z.array(Session), total: z.int() }),
  }),
  endSession: del('/auth/users/:id/sessions/:session', 'users:user:force-logout', {
    summary: 'End one session of a person',
  }),
  link: post('/auth/users/:id/link', 'users:user:update', {
    summary: 'Create a one-use link and invalidate the previous one',
    returns: Link,
  }),
  setPassword: post('/auth/users/:id/password', 'users:user:update', {
    summary: 'Set a first password and end all sessions',
    body: { password },
    status: 204,
  }),
  unlock: post('/auth/users/:id/unlock', 'users:user:update', {
    summary: 'Unlock an account after wrong passwords',
    status: 204,
  }),
  suspend: post('/auth/users/:id/suspension', 'users:user:update', {
    summary: 'Suspend an account: nobody can sign in with it, and its sessions end',
    returns: User,
    status: 200,
  }),
  resume: del('/auth/users/:id/suspension', 'users:user:update', {
    summary: 'End the suspension of an account',
    returns: User,
  }),
  dropSecondFactor: del('/auth/users/:id/second-factor', 'users:user:update', {
    summary: 'Remove a lost second factor and the passkeys',
  }),
}
