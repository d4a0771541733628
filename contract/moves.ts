import * as z from 'zod'
import {
  csv,
  filter,
  get,
  id,
  instant,
  line,
  listQuery,
  pageFields,
  patch,
  post,
  stored,
  version,
  whole,
} from './kit.ts'
import { actionUpdate, WorkflowWithActions } from './workflows.ts'

export const migrationType = z.enum(['website', 'group'])
/** `soaking` is the observation period: the new server serves, the old one redirects and keeps all data. */
export const migrationStatus = z.enum(['waiting', 'running', 'paused', 'failed', 'soaking', 'done', 'rolled-back'])
export type MigrationStatus = z.output<typeof migrationStatus>

/** Steps of a move, in this order. Between `freeze` and `proxy` visitors see the page about the move. */
export const phases = [
  'preflight',
  'prepare',
  'seed',
  'freeze',
  'delta',
  'databases',
  'verify',
  'cutover',
  'proxy',
  'soak',
  'retire',
] as const
export const phase = z.enum(phases)
export type Phase = z.output<typeof phase>

/** A finding of the preflight. A blocker prevents the start. */
export const Finding = z.object({
  key: z.string(),
  title: z.string(),
  level: z.enum(['ok', 'warning', 'blocker']),
  text: z.string(),
})
export type Finding = z.output<typeof Finding>

/** Result of one moved part: what the destination counted and compared. */
export const ReportLine = z.object({
  type: z.string(),
  name: z.string(),
  result: z.enum(['same', 'differs', 'done']),
  detail: z.string(),
})
export type ReportLine = z.output<typeof ReportLine>

export const Migration = z.object({
  ...stored,
  type: migrationType,
  /** The group's move that contains this move, and its position there. */
  parentId: z.int().nullable(),
  position: z.int().nullable(),
  /** The move that this move rolls back. */
  reverseOf: z.int().nullable(),
  /** Main website of a group's move. */
  domain: z.string(),
  sourceWebsiteId: z.int(),
  sourceGroupId: z.int().nullable(),
  sourceServerId: z.int(),
  sourceServerName: z.string(),
  targetServerId: z.int(),
  targetServerName: z.string(),
  targetGroupId: z.int().nullable(),
  targetWebsiteId: z.int().nullable(),
  status: migrationStatus,
  phase,
  /** Finished and total: actions of a website's move, or members of a group's move. */
  done: z.int(),
  count: z.int(),
  /**
   * Duration of the freeze in ms: from the first moment when visitors may have seen the page about the move to the
   * first page that the new server served.
   */
  freezeMs: z.int().nullable(),
  /** Whether the staging copies on the same server move along. */
  withCopies: z.boolean(),
  soakHours: z.int(),
  soakUntil: instant.nullable(),
  /** When a scheduled move starts, or started. */
  beginsAt: instant.nullable(),
  /** Why the move stopped or did not start. */
  reason: z.string().nullable(),
  report: z.array(ReportLine),
  workflowId: z.int().nullable(),
  startedBy: z.string(),
  endedAt: instant.nullable(),
})
export type Migration = z.output<typeof Migration>

/** A move in a list; the call `one` answers the rest. */
export const MigrationRow = Migration.omit({
  position: true,
  withCopies: true,
  soakHours: true,
  report: true,
  workflowId: true,
})
export type MigrationRow = z.output<typeof MigrationRow>

export const MigrationWithDetails = Migration.extend({
  findings: z.array(Finding),
  /** The running or last workflow: the move, or the retirement of the old server. */
  workflow: WorkflowWithActions.nullable(),
  /** Members of a group's move, in order. */
  members: z.array(Migration),
})
export type MigrationWithDetails = z.output<typeof MigrationWithDetails>

/** Fields that start a move of a group or a website. */
const target = {
  targetServerId: id,
  /** The group of the same owner that the website joins. Absent: it stays in its group. */
  targetGroupId: id.optional(),
  /** Length of the observation period, after which the data on the old server moves to the trash. */
  soakHours: whole(0, 720).optional(),
  /** False: staging copies stay on the old server, with their files and databases. Absent: they move too. */
  withCopies: z.boolean().optional(),
}

export const wanted = z.enum(['pause', 'resume', 'rollback', 'retire'])
export type Wanted = z.output<typeof wanted>

export const moves = {
  create: post('/websites/:id/migrate', 'website:migrations:create', {
    summary: 'Move a website, or with `sourceGroupId` its group, to another server',
    body: {
      sourceWebsiteId: id.optional(),
      sourceGroupId: id.optional(),
      sourceServerId: id.optional(),
      ...target,
      /** An existing account of the owner on the target server, shared with its websites. Absent: a new account. */
      targetAccountId: id.optional(),
      /** When the move starts, after another preflight. Absent: now. */
      beginsAt: instant.optional(),
    },
    status: 202,
    returns: Migration,
  }),
  preflight: get('/websites/:id/migrate', 'website:migrations:create', {
    summary: 'Preflight of a move of this website or its group; queries both servers and changes nothing',
    live: true,
    query: {
      targetServerId: id,
      targetAccountId: filter(whole(1)),
      group: filter(z.stringbool()),
      withCopies: filter(z.stringbool()),
    },
    returns: z.object({
      findings: z.array(Finding),
      /** For a group: its websites on this server, in order. */
      members: z.array(
        z.object({
          websiteId: z.int(),
          domain: z.string(),
          findings: z.array(Finding),
          bytes: z.number().nullable(),
          files: z.number().nullable(),
        }),
      ),
      actions: z.array(z.object({ title: z.string(), what: z.string(), phase, serverName: z.string().nullable() })),
      /** Accounts of the owner on the target server with room, and the websites that they serve. */
      accounts: z.array(z.object({ id: z.int(), username: z.string(), domains: z.array(z.string()) })),
      /** Size of the website with its sub-websites; null: not counted in time. */
      bytes: z.number().nullable(),
      files: z.number().nullable(),
    }),
  }),
  list: get('/websites/migrations', 'website:migrations:read', {
    summary: 'Moves of websites and groups, newest first, without members of groups',
    query: {
      ...listQuery(['createdAt', 'updatedAt'], 25),
      sourceWebsiteId: filter(csv(id)),
      targetWebsiteId: filter(csv(id)),
      type: filter(csv(migrationType)),
      status: filter(csv(migrationStatus)),
      server: filter(csv(id)),
      domain: filter(z.string().trim().max(253)),
    },
    returns: z.object({ migrations: z.array(MigrationRow), ...pageFields }),
  }),
  one: get('/websites/migrations/:id', 'website:migrations:read', {
    summary: 'One move with its actions, report and findings',
    returns: MigrationWithDetails,
  }),
  ofGroup: get('/websites/groups/:groupId/migration', 'website:migrations:read', {
    summary: 'Moves of a group, newest first: of the target group if there is one, else of the source group',
    query: { sourceGroupId: filter(whole(-1)), targetGroupId: filter(whole(-1)) },
    returns: z.object({ migrations: z.array(MigrationRow) }),
  }),
  update: patch('/websites/migrations/:id', 'website:migrations:update', {
    summary: 'Pause, resume, roll back, or retire the old server now',
    body: { want: wanted, reason: line(300).optional(), version },
    status: 202,
    returns: Migration,
  }),
  updateAction: patch('/websites/migrations/:id/actions/:action', 'website:migrations:update', {
    summary: 'Retry, retry from here, skip, mark done or roll back',
    params: { id, action: z.string().max(64) },
    body: actionUpdate,
    returns: WorkflowWithActions,
  }),
  group: patch('/groups/migrate', 'website:group:migrate', {
    summary: 'Move the members of a group from one server to another in sequence',
    body: {
      id,
      originServerSource: id,
      originServerTarget: id,
      soakHours: target.soakHours,
      withCopies: target.withCopies,
      /** When the move starts, with the members that the group has then. Absent: now. */
      beginsAt: instant.optional(),
    },
    status: 202,
    returns: Migration,
    aliases: ['/websites/groups/migrate'],
  }),
}

/** Path of a group's moves. The target group is used if there is one; -1 and an empty value mean none. */
export function groupOf(sourceGroupId: number | undefined, targetGroupId: number | undefined): number {
  const found = [targetGroupId, sourceGroupId].find((group) => group !== undefined && group !== -1)
  if (found === undefined) throw new Error(NO_GROUPS)
  return found
}
export const NO_GROUPS = 'No source and target groups found'

/** Step of a move that an action belongs to, by its name and input. */
export function phaseOf({ name, input }: { name: string; input: Record<string, unknown> }): Phase {
  if (name === 'transfer.pull') return input.mode === 'delta' ? 'delta' : 'seed'
  if (name === 'transfer.open') return 'seed'
  if (name === 'database.dump') return input.changedSince ? 'databases' : 'seed'
  if (name === 'database.load') return input.renew ? 'databases' : 'seed'
  // remote clients are locked out of the old server, without a password
  if (name === 'database-user.ensure') return !input.locked ? 'databases' : input.password ? 'prepare' : 'freeze'
  if (name === 'sftp-access.ensure') return input.state === 'suspended' ? 'freeze' : 'prepare'
  if (name === 'transfer.fetch') return fetched(String(input.file))
  if (name === 'nginx-site.ensure' || name === 'apache-site.ensure')
    return input.state === 'moving' ? 'freeze' : input.state === 'moved' ? 'proxy' : input.before ? 'verify' : 'prepare'
  return byName[name] ?? (name.endsWith('.remove') || name === 'transfer.close' ? 'proxy' : 'prepare')
}
const fetched = (file: string): Phase =>
  !file.endsWith('.sql.gz') ? 'proxy' : file.includes('-seed-') ? 'seed' : 'databases'
const byName: Record<string, Phase> = {
  'migration.preflight': 'preflight',
  'database.marks': 'seed',
  'transfer.compare': 'seed',
  'transfer.verify': 'verify',
  'php-pool.renew': 'verify',
  'website.probe': 'verify',
  'migration.cutover': 'cutover',
  'website.dns': 'proxy',
  'edge-site.ensure': 'proxy',
  'website-logs.pack': 'proxy',
  'website-logs.take': 'proxy',
  'crontab.rest': 'freeze',
  'crontab.take': 'proxy',
}
