import * as z from 'zod'
import { csv, del, filter, get, id, line, listQuery, pageOf, patch, post, stored, version } from '../kit/endpoint.ts'

export const Department = z.object({
  ...stored,
  name: z.string(),
  description: z.string().nullable(),
  /** Number of members. */
  people: z.int(),
  /** Number of roles for this department. */
  roles: z.int(),
})
export type Department = z.output<typeof Department>

const fields = { name: line(80), description: line(500).nullable().optional() }
/** Staff ids. A person belongs to one department, so adding a person removes them from their previous one. */
const people = z.array(id).max(1000).optional()

/** The department of a person. */
const Belonging = z.object({
  id: z.int(),
  name: z.string(),
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
})

export const departments = {
  ofUsers: get('/auth/users-departments', 'users:department:read', {
    summary: 'Departments of these people',
    query: { ids: csv(id) },
    returns: z.object({ items: z.array(Belonging), total: z.int() }),
  }),
  list: get('/auth/departments', 'users:department:read', {
    summary: 'Departments, or those with these ids',
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
    summary: 'Change a department, add or remove members',
    body: { name: fields.name.optional(), description: fields.description, add: people, remove: people, version },
    returns: Department,
  }),
  remove: del('/auth/departments', 'users:department:delete', {
    summary: 'Delete a department without members',
    body: { id, version },
    status: 204,
    aliases: ['/auth/departments/:id'],
  }),
}
