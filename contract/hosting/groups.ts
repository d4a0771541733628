import * as z from 'zod'
import { csv, del, filter, get, id, listQuery, pageOf, patch, post, stored, version } from '../kit/endpoint.ts'
import { Website } from './websites.ts'

/** A group of websites of one owner. The main website names the group. */
export const Group = z.object({
  ...stored,
  ownerId: z.int(),
  ownerName: z.string(),
  mainWebsite: z.int(),
  mainDomain: z.string(),
  websites: z.int(),
  /** Servers with members, sorted by name. */
  servers: z.array(z.object({ id: z.int(), name: z.string() })),
  /** Number of failed members. */
  failed: z.int(),
})
export type Group = z.output<typeof Group>
/** `items` are in the order of the group; the main website can be anywhere. */
export const GroupWithMembers = Group.extend({ items: z.array(Website) })
export type GroupWithMembers = z.output<typeof GroupWithMembers>

export const groups = {
  list: get('/websites/groups', 'website:group:read', {
    summary: 'Website groups',
    query: {
      ...listQuery(['createdAt', 'updatedAt'], 10),
      owner: filter(csv(id)),
      server: filter(csv(id)),
      domain: filter(z.string().trim().max(253)),
    },
    returns: pageOf(Group),
    aliases: ['/groups'],
  }),
  one: get('/websites/groups/:id', 'website:group:read', {
    summary: 'One group with its websites in order',
    returns: GroupWithMembers,
    aliases: ['/groups/:id'],
  }),
  ofWebsite: get('/websites/:id/group', 'website:group:read', {
    summary: 'The group of a website, or null',
    returns: z.object({ group: GroupWithMembers.nullable() }),
  }),
  ofServer: get('/groups/servers/:id', 'website:group:read', {
    summary: 'Groups with a website on a server, optionally of one owner; the newest 200',
    query: { user: filter(id) },
    returns: z.object({ items: z.array(Group), total: z.int() }),
    aliases: ['/websites/groups/servers/:id'],
  }),
  create: post('/groups', 'website:group:create', {
    summary: 'Create a group with a main website and other members, optionally with a chosen id',
    body: { id: id.optional(), ownerId: id, mainWebsite: id, ids: z.array(id).max(500).optional() },
    returns: GroupWithMembers,
    aliases: ['/websites/groups'],
  }),
  update: patch('/groups', 'website:group:update', {
    summary: 'Set the members of a group in their order, and its main website',
    body: {
      id,
      ids: z.array(id).min(1, 'Add at least the main website').max(500),
      mainWebsite: id.optional(),
      version,
    },
    returns: GroupWithMembers,
    aliases: ['/websites/groups'],
  }),
  owner: patch('/groups/owner', 'website:group:owner', {
    summary: 'Transfer a group with its websites and accounts to another owner',
    body: { id, newOwner: id, version },
    returns: GroupWithMembers,
    aliases: ['/websites/groups/owner'],
  }),
  remove: del('/groups', 'website:group:delete', {
    summary: 'Delete a group; its websites stay',
    body: { id, version },
    status: 204,
    aliases: ['/websites/groups', '/groups/:id'],
  }),
}
