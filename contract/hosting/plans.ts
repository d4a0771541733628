import * as z from 'zod'
import {
  del,
  filter,
  get,
  instant,
  line,
  listQuery,
  pageOf,
  patch,
  post,
  stored,
  version,
  whole,
} from '../kit/endpoint.ts'
import { phpVersion } from '../kit/values.ts'

/** Most recipients an hour that any limit of outgoing mail allows. */
export const MOST_HOURLY = 100_000

/** Limits of an account on a server: MiB, percent of one core, counts. */
const figures = {
  diskMb: z.int(),
  memoryMb: z.int(),
  cpuPercent: z.int(),
  tasks: z.int(),
  websites: z.int(),
  databases: z.int(),
  mailboxes: z.int(),
  ftpUsers: z.int(),
  /** Recipients an hour of outgoing mail: of one mailbox or website, and of the whole account. */
  mailHourly: z.int(),
  mailTogether: z.int(),
}
export const Plan = z.object({
  ...stored,
  name: z.string(),
  ...figures,
  phpVersions: z.array(phpVersion),
  /** Number of accounts with this plan. */
  systemUsers: z.int(),
  /** Servers of such accounts whose agent found no quotas: disk is measured there, and its limit is not enforced. */
  diskMeasured: z.int(),
})
export type Plan = z.output<typeof Plan>

/** Defaults for a plan that is created with only a name, as the specification allows. */
export const planDefaults = {
  diskMb: 10_240,
  memoryMb: 512,
  cpuPercent: 100,
  tasks: 128,
  websites: 5,
  databases: 5,
  mailboxes: 10,
  ftpUsers: 2,
  mailHourly: 200,
  mailTogether: 1000,
  phpVersions: ['8.2'],
}

const ranges = {
  diskMb: whole(64, 16_777_216),
  memoryMb: whole(64, 1_048_576),
  cpuPercent: whole(5, 12_800),
  tasks: whole(16, 65_536),
  websites: whole(1, 10_000),
  databases: whole(0, 10_000),
  mailboxes: whole(0, 100_000),
  ftpUsers: whole(0, 10_000),
  mailHourly: whole(1, MOST_HOURLY),
  mailTogether: whole(1, MOST_HOURLY),
}
const phpVersions = z
  .array(phpVersion)
  .min(1, 'At least one')
  .max(12)
  .refine((all) => new Set(all).size === all.length, 'A version occurs twice')
const name = line(80)

const planChange = {
  name: name.optional(),
  diskMb: ranges.diskMb.optional(),
  memoryMb: ranges.memoryMb.optional(),
  cpuPercent: ranges.cpuPercent.optional(),
  tasks: ranges.tasks.optional(),
  websites: ranges.websites.optional(),
  databases: ranges.databases.optional(),
  mailboxes: ranges.mailboxes.optional(),
  ftpUsers: ranges.ftpUsers.optional(),
  mailHourly: ranges.mailHourly.optional(),
  mailTogether: ranges.mailTogether.optional(),
  phpVersions: phpVersions.optional(),
}

/** An account above the limits of a plan, and its exceeded limits. */
export const Exceeding = z.object({
  systemUserId: z.int(),
  username: z.string(),
  serverName: z.string(),
  what: z.array(z.string()),
})
export type Exceeding = z.output<typeof Exceeding>

/** A previous version of a plan and its author. */
export const PlanVersion = z.object({
  version: z.int(),
  at: instant,
  by: z.string(),
  name: z.string(),
  ...figures,
  phpVersions: z.array(phpVersion),
})
export type PlanVersion = z.output<typeof PlanVersion>

export const plans = {
  list: get('/system-user/plans', 'system-user:plan:read', {
    summary: 'All plans',
    query: { ...listQuery(['name', 'diskMb', 'memoryMb']), search: filter(z.string().trim().max(80)) },
    returns: pageOf(Plan),
  }),
  one: get('/system-user/plans/:id', 'system-user:plan:read', { summary: 'One plan', returns: Plan }),
  create: post('/system-user/plans', 'system-user:plan:create', {
    summary: 'Create a plan; missing fields get defaults',
    body: { ...planChange, name },
    returns: Plan,
  }),
  update: patch('/system-user/plans/:id', 'system-user:plan:update', {
    summary: 'Change a plan; one workflow per server applies the new limits',
    body: {
      ...planChange,
      version,
      /** `keep`: accounts above the new limits keep their usage. Otherwise the change is refused if such accounts exist. */
      exceeding: z.enum(['keep']).optional(),
    },
    status: [200, 202],
    returns: Plan.extend({ workflowIds: z.array(z.int()) }),
  }),
  preview: post('/system-user/plans/:id/preview', 'system-user:plan:update', {
    summary: 'Preview a change: the first 100 accounts above the limits, and numbers of accounts and servers',
    effect: 'read',
    status: 200,
    body: planChange,
    returns: z.object({
      exceeding: z.array(Exceeding),
      total: z.int(),
      systemUsers: z.int(),
      servers: z.int(),
    }),
  }),
  versions: get('/system-user/plans/:id/versions', 'system-user:plan:read', {
    summary: 'Previous versions of a plan, newest first',
    returns: z.object({ items: z.array(PlanVersion), total: z.int() }),
  }),
  remove: del('/system-user/plans/:id', 'system-user:plan:delete', {
    summary: 'Delete a plan without accounts',
    body: { version },
    status: 204,
  }),
}
