import * as z from 'zod'
import { csv, del, filter, get, id, listQuery, pageOf, patch, post, stored, version } from './kit.ts'
import { Website } from './websites.ts'

/** Websites of one owner that belong together; the main one gives the group its name. */
export const Group = z.object({
  ...stored,
  ownerId: z.int(),
  ownerName: z.string(),
  mainWebsite: z.int(),
  mainDomain: z.string(),
  websites: z.int(),
  /** Of its members, by name. */
  servers: z.array(z.object({ id: z.int(), name: z.string() })),
  /** Members that want somebody: failed. */
  failed: z.int(),
})
export type Group = z.output<typeof Group>
/** `items` in the group's own order, the main website wherever it was put. */
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
    summary: 'The group of a website; null where it is in none',
    returns: z.object({ group: GroupWithMembers.nullable() }),
  }),
  ofServer: get('/groups/servers/:id', 'website:group:read', {
    summary: 'Groups with a website on a server, of one owner or of all; the newest 200',
    query: { user: filter(id) },
    returns: z.object({ items: z.array(Group), total: z.int() }),
    aliases: ['/websites/groups/servers/:id'],
  }),
  create: post('/groups', 'website:group:create', {
    summary: 'Make a group of a main website and others; its number may be chosen',
    body: { id: id.optional(), ownerId: id, mainWebsite: id, ids: z.array(id).max(500).optional() },
    returns: GroupWithMembers,
    aliases: ['/websites/groups'],
  }),
  update: patch('/groups', 'website:group:update', {
    summary: 'The members of a group, all of them in order; its main website',
    body: { id, ids: z.array(id).min(1, 'At least its main website').max(500), mainWebsite: id.optional(), version },
    returns: GroupWithMembers,
    aliases: ['/websites/groups'],
  }),
  owner: patch('/groups/owner', 'website:group:owner', {
    summary: 'Give a group with its websites and their accounts to another owner',
    body: { id, newOwner: id, version },
    returns: GroupWithMembers,
    aliases: ['/websites/groups/owner'],
  }),
  remove: del('/groups', 'website:group:delete', {
    summary: 'Dissolve a group; its websites stay',
    body: { id, version },
    status: 204,
    aliases: ['/websites/groups', '/groups/:id'],
  }),
}
