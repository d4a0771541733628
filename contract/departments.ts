import * as z from 'zod'
import { csv, del, filter, get, id, line, listQuery, pageOf, patch, post, stored, version } from './kit.ts'

export const Department = z.object({
  ...stored,
  name: z.string(),
  description: z.string().nullable(),
  /** How many belong to it. */
  people: z.int(),
  /** How many roles are meant for it. */
  roles: z.int(),
})
export type Department = z.output<typeof Department>

const fields = { name: line(80), description: line(500).nullable().optional() }
/** Staff ids; a person belongs to one department, so that adding somebody takes them out of another. */
const people = z.array(id).max(1000).optional()

/** Which department somebody belongs to. */
const Belonging = z.object({
  id: z.int(),
  name: z.string(),
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
})

export const departments = {
  ofUsers: get('/auth/users-departments', 'users:department:read', {
    summary: 'The departments of these people',
    query: { ids: csv(id) },
    returns: z.object({ items: z.array(Belonging), total: z.int() }),
  }),
  list: get('/auth/departments', 'users:department:read', {
    summary: 'Departments; with ids just these',
    query: {
      ...listQuery(['name', 'createdAt']),
      ids: csv(id).optional(),
      search: filter(z.string().trim().max(80)),
    },
    returns: pageOf(Department),
  }),
  create: post('/auth/departments', 'users:department:create', {
    summary: 'Create a department',
    body: fields,
    returns: Department,
  }),
  one: get('/auth/departments/:id', 'users:department:read', { summary: 'One department', returns: Department }),
  update: patch('/auth/departments/:id', 'users:department:update', {
    summary: 'Change a department, add members, take members out',
    body: { name: fields.name.optional(), description: fields.description, add: people, remove: people, version },
    returns: Department,
  }),
  remove: del('/auth/departments', 'users:department:delete', {
    summary: 'Delete a department that nobody belongs to',
    body: { id, version },
    status: 204,
    aliases: ['/auth/departments/:id'],
  }),
}
