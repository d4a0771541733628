import * as z from 'zod'
import { csv, del, filter, get, id, line, listQuery, pageOf, patch, post, stored, version } from './kit.ts'
import { type Permission, permissions } from './permissions.ts'
import { Scope } from './scopes.ts'

/** What may be granted: the catalogue, and nothing else. */
// keys of our own constant
export const permission = z.enum(Object.keys(permissions) as [Permission, ...Permission[]])

export const Role = z.object({
  ...stored,
  name: z.string(),
  description: z.string().nullable(),
  scopes: z.array(z.string()),
  /** Meant for this department; null: for all. */
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  /** Its people have to have a second factor before they may do anything else. */
  requiresSecondFactor: z.boolean(),
  /** How many hold it. */
  people: z.int(),
})
export type Role = z.output<typeof Role>

const fields = {
  name: line(80),
  description: line(500).nullable().optional(),
  scopes: z.array(permission).max(1000),
  departmentId: id.nullable().optional(),
  requiresSecondFactor: z.boolean().optional(),
}
const users = z.array(id).min(1, 'Nobody is chosen').max(1000)

/** What a change of rights takes and gives, and how many people feel it. Administrators hold all and feel nothing. */
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
    summary: 'Roles for one department: its own, and those for all',
    query: listing,
    returns: pageOf(Role),
  }),
  create: post('/auth/roles', 'users:role:create', { summary: 'Create a role', body: fields, returns: Role }),
  one: get('/auth/roles/:id', 'users:role:read', { summary: 'One role', returns: Role }),
  update: patch('/auth/roles/:id', 'users:role:update', {
    summary: 'Change a role: holds for its people at once',
    body: {
      ...fields,
      name: fields.name.optional(),
      scopes: fields.scopes.optional(),
      version,
    },
    returns: Role,
  }),
  remove: del('/auth/roles', 'users:role:delete', {
    summary: 'Delete a role that nobody holds',
    body: { id, version },
    status: 204,
    aliases: ['/auth/roles/:id'],
  }),
  assign: patch('/auth/roles/users', 'users:role:assign', {
    summary: 'Give these people another role',
    body: { users, role: id.nullable() },
    returns: Effect,
  }),
  scopes: get('/auth/roles/:id/scopes', 'users:role:read', {
    summary: 'The permissions of one role',
    returns: z.object({ items: z.array(Scope), total: z.int() }),
  }),
  preview: post('/auth/roles/:id/preview', 'users:role:read', {
    summary: 'What these permissions would take from the people of this role, and give them',
    effect: 'read',
    body: { scopes: fields.scopes },
    status: 200,
    returns: Effect,
  }),
  previewAssign: post('/auth/roles/users/preview', 'users:role:read', {
    summary: 'What another role would take from these people, and give them',
    effect: 'read',
    body: { users, role: id.nullable() },
    status: 200,
    returns: Effect,
  }),
}
