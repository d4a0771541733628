import * as z from 'zod'
import { csv, filter, get, id, line, listQuery, pageOf, post, stored } from '../kit/endpoint.ts'

/** The customer who pays. `userId`, `userid`, `ownerId` of website calls are owner ids. */
export const Owner = z.object({
  ...stored,
  name: z.string(),
  email: z.string(),
  externalId: z.string().nullable(),
  websites: z.int(),
})
export type Owner = z.output<typeof Owner>

export const ownerFields = {
  name: line(120),
  email: z.email('An address such as name@example.org').max(254),
  externalId: line(80).optional(),
}

export const owners = {
  list: get('/groups/owners', 'website:group:read', {
    summary: 'Owners by name or email, or by ids',
    query: {
      ...listQuery(['name', 'email', 'createdAt']),
      search: filter(z.string().trim().max(120)),
      ids: filter(csv(id)),
    },
    returns: pageOf(Owner),
    aliases: ['/websites/groups/owners'],
  }),
  create: post('/owners', 'website:website:create', { summary: 'Add an owner', body: ownerFields, returns: Owner }),
}
