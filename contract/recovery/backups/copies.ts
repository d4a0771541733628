import * as z from 'zod'
import {
  csv,
  del,
  filter,
  get,
  id,
  instant,
  listQuery,
  patch,
  post,
  stored,
  version,
  whole,
} from '../../kit/endpoint.ts'
import { pairOf } from './shapes.ts'
import { when } from './when.ts'

/** `late`: a backup waits for its copy for longer than twice the time between two runs. */
export const copyStates = ['never', 'running', 'current', 'waiting', 'late', 'failed', 'off'] as const
/** The copy of a repository on another backup server. */
export const RepositoryCopy = z.object({
  ...stored,
  repositoryId: z.int(),
  account: z.string(),
  /** The machine whose backups the copy contains. */
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
  /** The last time that all backups were copied. */
  lastAt: instant.nullable(),
  /** Copied backups, backups that are not copied yet, and the time of the oldest of these. */
  copied: z.int(),
  waiting: z.int(),
  waitingSince: instant.nullable(),
  /** Failed runs since the last successful one, and the reason of the latest failure. */
  failures: z.int(),
  error: z.string().nullable(),
  size: z.number().nullable(),
  workflowId: z.int().nullable(),
})
export type RepositoryCopy = z.output<typeof RepositoryCopy>

const base = '/backups'
const began = z.object({ workflowId: z.int() })
/** Maximum transfer rate to the other backup server, in kilobytes per second. */
const limit = whole(64, 10_000_000).nullable()

/** Second copies of repositories on another backup server. */
export const copyCalls = {
  copies: get(`${base}/repositories/copies`, 'backup:repo:read', {
    summary: 'Copies of repositories on other backup servers',
    query: { ...listQuery(['createdAt']), repositoryId: filter(csv(id)), backupServerId: filter(csv(id)) },
    returns: pairOf(RepositoryCopy),
  }),
  createCopy: post(`${base}/repositories/copies`, 'backup:repo:copy', {
    summary: 'Copy a repository to another backup server, now and on a schedule',
    body: {
      repositoryId: id,
      backupServerId: id,
      /** Null: no schedule. */
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
    summary: 'Copy backups that are not copied yet, and remove backups that the repository no longer has',
    status: 202,
    returns: began,
  }),
  removeCopy: del(`${base}/repositories/copies/:id`, 'backup:repo:copy', {
    summary: 'End the copying; copied backups stay until the repository of the copy is deleted',
    body: { version },
    status: 204,
  }),
  useCopy: post(`${base}/repositories/copies/:id/use`, 'backup:repo:delete', {
    summary: 'Use the copy in place of a lost repository; backups that were not copied are lost',
    /** Confirmation: the account of the repository as the person typed it. */
    body: { version, name: z.string().max(64).optional(), lost: whole(0).optional() },
    status: 200,
    returns: z.object({ kept: z.int(), lost: z.int(), targetId: z.int() }),
  }),
}
