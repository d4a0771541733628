import * as z from 'zod'
import { csv, del, filter, get, id, instant, listQuery, patch, post, stored, version, whole } from '../kit.ts'
import { pairOf } from './shapes.ts'
import { when } from './when.ts'

/** `late`: something waits for longer than twice the time between two runs. */
export const copyStates = ['never', 'running', 'current', 'waiting', 'late', 'failed', 'off'] as const
/** The copy of a repository on another backup server. */
export const RepositoryCopy = z.object({
  ...stored,
  repositoryId: z.int(),
  account: z.string(),
  /** The machine whose backups it has. */
  serverName: z.string(),
  backupServerName: z.string(),
  targetId: z.int(),
  targetServerId: z.int(),
  targetServerName: z.string(),
  state: z.enum(copyStates),
  when: when.nullable(),
  limit: z.int().nullable(),
  enabled: z.boolean(),
  nextAt: instant.nullable(),
  /** The last time that everything was copied. */
  lastAt: instant.nullable(),
  /** Backups that are there, and that are not there yet; the oldest of these is of then. */
  copied: z.int(),
  waiting: z.int(),
  waitingSince: instant.nullable(),
  /** Runs that failed since the last good one, and why the last one did. */
  failures: z.int(),
  error: z.string().nullable(),
  size: z.number().nullable(),
  workflowId: z.int().nullable(),
})
export type RepositoryCopy = z.output<typeof RepositoryCopy>

const base = '/backups'
const began = z.object({ workflowId: z.int() })
/** Kilobytes each second to the other backup server. */
const limit = whole(64, 10_000_000).nullable()

/** Second copies of repositories on another backup server. */
export const copyCalls = {
  copies: get(`${base}/repositories/copies`, 'backup:repo:read', {
    summary: 'Copies of repositories on other backup servers',
    query: { ...listQuery(['createdAt']), repositoryId: filter(csv(id)), backupServerId: filter(csv(id)) },
    returns: pairOf(RepositoryCopy),
  }),
  createCopy: post(`${base}/repositories/copies`, 'backup:repo:copy', {
    summary: 'Copy a repository to another backup server, now and by a schedule',
    body: {
      repositoryId: id,
      backupServerId: id,
      /** Null: by hand alone. */
      when: when.nullable().default(null),
      limit: limit.default(null),
    },
    returns: z.object({ data: RepositoryCopy, workflowId: z.int() }),
  }),
  oneCopy: get(`${base}/repositories/copies/:id`, 'backup:repo:read', {
    summary: 'One copy of a repository',
    returns: RepositoryCopy,
  }),
  updateCopy: patch(`${base}/repositories/copies/:id`, 'backup:repo:copy', {
    summary: 'Change when a repository is copied, and how fast',
    body: { when: when.nullable().optional(), limit: limit.optional(), enabled: z.boolean().optional(), version },
    returns: RepositoryCopy,
  }),
  runCopy: post(`${base}/repositories/copies/:id/run`, 'backup:repo:copy', {
    summary: 'Copy what is not copied yet, and remove from the copy what the repository no longer has',
    status: 202,
    returns: began,
  }),
  removeCopy: del(`${base}/repositories/copies/:id`, 'backup:repo:copy', {
    summary: 'End the copying; what was copied stays until its repository is deleted',
    body: { version },
    status: 204,
  }),
  useCopy: post(`${base}/repositories/copies/:id/use`, 'backup:repo:delete', {
    summary: 'Use the copy in the place of a repository that is lost; backups that were not copied are lost',
    /** Confirmation: the account of the repository as the person typed it. */
    body: { version, name: z.string().max(64).optional(), lost: whole(0).optional() },
    status: 200,
    returns: z.object({ kept: z.int(), lost: z.int(), targetId: z.int() }),
  }),
}
