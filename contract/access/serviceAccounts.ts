import * as z from 'zod'
import { csv, del, filter, get, id, line, listQuery, pageOf, patch, post, stored, version } from '../kit/endpoint.ts'

/** An account of a program. It has a role as people have, no password, and works by its API tokens only. */
export const ServiceAccount = z.object({
  ...stored,
  name: z.string(),
  description: z.string().nullable(),
  /** The person who answers for the account. */
  ownerId: z.int(),
  ownerName: z.string(),
  roleId: z.int().nullable(),
  roleName: z.string().nullable(),
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  /** Number of valid tokens. */
  tokens: z.int(),
  lastUsedAt: z.string().nullable(),
})
export type ServiceAccount = z.output<typeof ServiceAccount>

const fields = {
  name: line(80),
  description: line(500).nullable().optional(),
  /** Default: the caller. */
  ownerId: id.optional(),
  roleId: id.nullable().optional(),
  departmentId: id.nullable().optional(),
}

export const serviceAccounts = {
  list: get('/service-accounts', 'api:service-account:read', {
    summary: 'Service accounts',
    query: {
      ...listQuery(['name', 'createdAt']),
      search: filter(z.string().trim().max(80)),
      owner: filter(csv(id)),
      role: filter(csv(id)),
      department: filter(csv(id)),
    },
    returns: pageOf(ServiceAccount),
  }),
  one: get('/service-accounts/:id', 'api:service-account:read', {
    summary: 'One service account',
    returns: ServiceAccount,
  }),
  create: post('/service-accounts', 'api:service-account:create', {
    summary: 'Create a service account',
    body: fields,
    returns: ServiceAccount,
  }),
  update: patch('/service-accounts/:id', 'api:service-account:update', {
    summary: 'Change a service account; other rights apply to its tokens at once',
    body: { ...fields, name: fields.name.optional(), version },
    returns: ServiceAccount,
  }),
  remove: del('/service-accounts/:id', 'api:service-account:delete', {
    summary: 'Delete a service account and end its tokens',
    body: { version },
    status: 204,
  }),
}
