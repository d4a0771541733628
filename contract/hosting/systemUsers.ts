import * as z from 'zod'
import {
  csv,
  del,
  filter,
  get,
  id,
  instant,
  line,
  listQuery,
  pageOf,
  patch,
  post,
  stored,
  version,
} from '../kit/endpoint.ts'
import { username } from '../kit/values.ts'
import { WorkflowWithActions } from '../machines/workflows.ts'

export const systemUserStatus = z.enum(['creating', 'active', 'suspended', 'disabled', 'deleting'])

/** A Linux account of an owner on one server, with one plan. */
export const SystemUser = z.object({
  ...stored,
  username: z.string(),
  /** Numeric id on the server; null until the account exists there. */
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
  /** Reason of the suspension. */
  reason: z.string().nullable(),
  websites: z.int(),
  /** Usage in MiB when the server was last measured. */
  diskUsedMb: z.int().nullable(),
  diskSeenAt: instant.nullable(),
  /** Since when the account has used more disk than its plan allows. */
  diskOverSince: instant.nullable(),
  /** The running or failed workflow. */
  workflowId: z.int().nullable(),
})
export type SystemUser = z.output<typeof SystemUser>

const started = z.object({ data: SystemUser, workflowId: z.int() })

export const systemUsers = {
  list: get('/system-user/system-users', 'system-user:user:read', {
    summary: 'Accounts by search; a repeated search[] looks up ids',
    query: {
      ...listQuery(['username', 'createdAt', 'diskUsedMb']),
      search: z.union([z.string().trim().max(120), z.array(id).max(1000)]).optional(),
      server: filter(csv(id)),
      owner: filter(csv(id)),
      plan: filter(csv(id)),
      status: filter(csv(systemUserStatus)),
      /** Accounts that use more disk than their plan allows, or the others. */
      over: filter(z.stringbool()),
    },
    returns: pageOf(SystemUser),
  }),
  one: get('/system-user/system-users/:id', 'system-user:user:read', { summary: 'One account', returns: SystemUser }),
  create: post('/system-user/system-users', 'system-user:user:create', {
    summary: 'Create an account on a server',
    body: { username, originServer: id, ownerId: id, planId: id },
    returns: started,
  }),
  update: patch('/system-user/system-users/:id', 'system-user:user:update', {
    summary: 'Suspend an account with its websites, or activate it again',
    body: { status: z.enum(['active', 'suspended']), reason: line(300).optional(), version },
    status: 202,
    returns: started,
  }),
  plan: patch('/system-user/system-users/:id/plan', 'system-user:user:plan', {
    summary: 'Change the plan of an account',
    body: { planId: id, version },
    status: 202,
    returns: started,
  }),
  usage: get('/system-user/system-users/:id/usage', 'system-user:user:read', {
    summary: 'Usage of an account, read from the server now: MiB, files, tasks',
    live: true,
    returns: z.object({
      diskMb: z.int(),
      files: z.int(),
      memoryMb: z.int().nullable(),
      tasks: z.int().nullable(),
      /** Whether the file system enforces the plan's disk limit; if not, `why`. */
      diskLimit: z.object({ enforced: z.boolean(), why: z.string().nullable() }),
      at: instant,
    }),
  }),
  runs: get('/system-user/system-users/:id/runs', 'system-user:user:read', {
    summary: 'Workflows of an account that are not dismissed, newest first',
    returns: z.object({ items: z.array(WorkflowWithActions), total: z.int() }),
  }),
  remove: del('/system-user/system-users/:id', 'system-user:user:delete', {
    summary: 'Delete an account without websites and move its home into the trash',
    body: { version },
    status: 202,
    returns: started,
  }),
  dismiss: del('/system-user/logs/:id', 'system-user:logs:delete', {
    summary: 'Dismiss an ended or stopped workflow; the action log keeps it',
    status: 204,
  }),
}
