import * as z from 'zod'
import {
  csv,
  del,
  filter,
  get,
  id,
  line,
  listQuery,
  pageOf,
  patch,
  post,
  stored,
  version,
  whole,
} from '../kit/endpoint.ts'
import { type Permission, permissions } from '../permissions/services.ts'
import { Scope } from './scopes.ts'

/** Permissions that may be granted: those of the catalogue. */
// keys of our own constant
export const permission = z.enum(Object.keys(permissions) as [Permission, ...Permission[]])

export const Role = z.object({
  ...stored,
  name: z.string(),
  description: z.string().nullable(),
  scopes: z.array(z.string()),
  /** The department that the role is for; null: all. */
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  /** True: members must set up a second factor before they can make any other call. */
  requiresSecondFactor: z.boolean(),
  /** Hours after which members sign in again; null: 12, as everybody. */
  sessionHours: z.int().nullable(),
  /** Minutes without a call after which members sign in again; null: no limit. */
  sessionIdleMinutes: z.int().nullable(),
  /** Number of members. */
  people: z.int(),
})
export type Role = z.output<typeof Role>

const fields = {
  name: line(80),
  description: line(500).nullable().optional(),
  scopes: z.array(permission).max(1000),
  departmentId: id.nullable().optional(),
  requiresSecondFactor: z.boolean().optional(),
  sessionHours: whole(1, 12).nullable().optional(),
  sessionIdleMinutes: whole(5, 720).nullable().optional(),
}
const users = z.array(id).min(1, 'Choose at least one person').max(1000)

/** Permissions that a change adds and removes, and the number of affected people. Administrators are never affected. */
export const Effect = z.object({
  people: z.int(),
  gives: z.array(z.object({ scope: z.string(), people: z.int() })),
  takes: z.array(z.object({ scope: z.string(), people: z.int() })),
})
export type Effect = z.output<typeof Effect>

const listing = { ...listQuery(['name', 'createdAt']), search: filter(z.string().trim().max(80)) }

export const roles = {
  list: get('/auth/roles', 'users:role:read', {
    summary: 'Roles',
    query: { ...listing, department: filter(csv(id)), scope: filter(z.string().max(100)) },
    returns: pageOf(Role),
  }),
  ofDepartment: get('/auth/roles/department/:id', 'users:role:read', {
    summary: 'Roles of a department and roles for all departments',
    query: listing,
    returns: pageOf(Role),
  }),
  create: post('/auth/roles', 'users:role:create', {
    summary: 'Create a role',
    body: { ...fields, scopes: fields.scopes.default([]) },
    returns: Role,
  }),
  one: get('/auth/roles/:id', 'users:role:read', { summary: 'One role', returns: Role }),
  update: patch('/auth/roles/:id', 'users:role:update', {
    summary: 'Change a role; the change applies to its members at once',
    body: {
      ...fields,
      name: fields.name.optional(),
      scopes: fields.scopes.optional(),
      version,
    },
    returns: Role,
  }),
  remove: del('/auth/roles', 'users:role:delete', {
    summary: 'Delete a role without members',
    body: { id, version },
    status: 204,
    aliases: ['/auth/roles/:id'],
  }),
  assign: patch('/auth/roles/users', 'users:role:assign', {
    summary: 'Assign a role to these people',
    body: { users, role: id.nullable() },
    returns: Effect,
  }),
  scopes: get('/auth/roles/:id/scopes', 'users:role:read', {
    summary: 'Permissions of a role',
    returns: z.object({ items: z.array(Scope), total: z.int() }),
  }),
  preview: post('/auth/roles/:id/preview', 'users:role:read', {
    summary: 'Preview the permissions that a change adds and removes',
    effect: 'read',
    body: { scopes: fields.scopes },
    status: 200,
    returns: Effect,
  }),
  // the effect on one person tells that person's permissions
  previewAssign: post('/auth/roles/users/preview', ['users:role:read', 'users:user:read'], {
    summary: 'Preview the permissions that another role adds and removes',
    effect: 'read',
    body: { users, role: id.nullable() },
    status: 200,
    returns: Effect,
  }),
}
