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
  version,
  whole,
} from '../../kit/endpoint.ts'
import { actionUpdate, WorkflowWithActions } from '../../machines/workflows.ts'
import {
  Finding,
  Migration,
  MigrationRow,
  MigrationWithDetails,
  migrationStatus,
  migrationType,
  phase,
} from './shapes.ts'

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
    effect: 'stream', // asks both servers first, outside a transaction
    live: true,
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
    effect: 'stream', // asks both servers first, outside a transaction
    live: true,
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
