import * as z from 'zod'
import { csv, del, filter, get, id, instant, line, listQuery, pageOf, patch, post, stored, version } from './kit.ts'
import { username } from './values.ts'
import { WorkflowWithActions } from './workflows.ts'

export const systemUserStatus = z.enum(['creating', 'active', 'suspended', 'disabled', 'deleting'])

/** A Linux account of an owner on one server, with one plan. */
export const SystemUser = z.object({
  ...stored,
  username: z.string(),
  /** As the server knows it; absent until it was made there. */
  uid: z.int().nullable(),
  serverId: z.int(),
  serverName: z.string(),
  ownerId: z.int(),
  ownerName: z.string(),
  planId: z.int(),
  planName: z.string(),
  planDiskMb: z.int(),
  homeDir: z.string(),
  shell: z.string(),
  status: systemUserStatus,
  /** Why it is suspended. */
  reason: z.string().nullable(),
  websites: z.int(),
  /** MiB, when its server was last asked. */
  diskUsedMb: z.int().nullable(),
  diskSeenAt: instant.nullable(),
  /** Since when it is known to use more disk than its plan has. */
  diskOverSince: instant.nullable(),
  /** The workflow at work on it, or the one that stopped. */
  workflowId: z.int().nullable(),
})
export type SystemUser = z.output<typeof SystemUser>

const started = z.object({ data: SystemUser, workflowId: z.int() })

export const systemUsers = {
  list: get('/system-user/system-users', 'system-user:user:read', {
    summary: 'Accounts by page and search; a repeated search[] looks up ids',
    query: {
      ...listQuery(['username', 'createdAt', 'diskUsedMb']),
      search: z.union([z.string().trim().max(120), z.array(id).max(1000)]).optional(),
      server: filter(csv(id)),
      owner: filter(csv(id)),
      plan: filter(csv(id)),
      status: filter(csv(systemUserStatus)),
      /** Those that use more disk than their plan has, or the others. */
      over: filter(z.stringbool()),
    },
    returns: pageOf(SystemUser),
  }),
  one: get('/system-user/system-users/:id', 'system-user:user:read', { summary: 'One account', returns: SystemUser }),
  create: post('/system-user/system-users', 'system-user:user:create', {
    summary: 'Make an account on a server',
    body: { username, originServer: id, ownerId: id, planId: id },
    returns: started,
  }),
  update: patch('/system-user/system-users/:id', 'system-user:user:update', {
    summary: 'Suspend it with a reason, or activate it again; its websites follow',
    body: { status: z.enum(['active', 'suspended']), reason: line(300).optional(), version },
    status: 202,
    returns: started,
  }),
  plan: patch('/system-user/system-users/:id/plan', 'system-user:user:plan', {
    summary: 'Put it on another plan',
    body: { planId: id, version },
    status: 202,
    returns: started,
  }),
  usage: get('/system-user/system-users/:id/usage', 'system-user:user:read', {
    summary: 'What it uses now, asked of its server: MiB, files, tasks; absent where it cannot be told there',
    live: true,
    returns: z.object({
      diskMb: z.int(),
      files: z.int(),
      memoryMb: z.int().nullable(),
      tasks: z.int().nullable(),
      /** Does the file system hold it to its plan's disk? Where it does not, `why`. */
      diskLimit: z.object({ enforced: z.boolean(), why: z.string().nullable() }),
      at: instant,
    }),
  }),
  runs: get('/system-user/system-users/:id/runs', 'system-user:user:read', {
    summary: 'Its workflows that nobody dismissed, newest first',
    returns: z.object({ items: z.array(WorkflowWithActions), total: z.int() }),
  }),
  remove: del('/system-user/system-users/:id', 'system-user:user:delete', {
    summary: 'Delete an account that has no website; its home goes into the trash of its server',
    body: { version },
    status: 202,
    returns: started,
  }),
  dismiss: del('/system-user/logs/:id', 'system-user:logs:delete', {
    summary: "Take an ended or stopped workflow off its account's page; the action log keeps it",
    status: 204,
  }),
}
