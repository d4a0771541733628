import { judge, type KeepPolicy } from '@innkeeper/contract/backups/keep'
import type { Preview } from '@innkeeper/contract/backups/shapes'
import type { BackupKind } from '@innkeeper/contract/backups/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { readServer } from '../servers/view.ts'
import { type Access, accessesTo } from './access.ts'

export type By = { id: number | null; name: string }
export type Audit = Pick<Context['audit'], 'workflow' | 'of'>
export interface Which {
  repositoryId?: number | undefined
  keep?: KeepPolicy | undefined
  /** Number of backups to remove that the person saw in the preview. */
  expected?: number | undefined
}
interface Candidate {
  id: number
  at: string
  held: boolean
  websiteId: number
  domain: string
  kind: BackupKind
  partial: boolean
  /** The schedule that made the backup; null if there is none or it was deleted. */
  scheduleId: number | null
  keep: KeepPolicy | null
}
/** Columns by which a keep policy judges backups `k` with their schedules `s`. */
const candidate = sql`k.backup_id as id, to_char(k.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, k.held,
  k.website_id as "websiteId", k.domain, k.kind, k.status = 4 as partial, s.backup_schedule_id as "scheduleId", s.keep`
const candidates = sql`backups k join backup_repositories r on r.backup_repository_id = k.backup_repository_id
  left join backup_schedules s on s.backup_schedule_id = k.backup_schedule_id and s.deleted_at is null
  where k.deleted_at is null and k.status in (2, 4) and not k.leaving`

/**
 * Which backups a forget keeps and removes: by `keep`, else by the policy of the schedule, else by that of the backup
 * server.
 */
export async function toForget(db: Db, backupServerId: number, { repositoryId, keep }: Which): Promise<Preview> {
  const server = await readServer(db, backupServerId)
  const found = await rows<Candidate>(
    db,
    sql`select ${candidate} from ${candidates} and r.backup_server_id = ${backupServerId}
        ${repositoryId ? sql`and r.backup_repository_id = ${repositoryId}` : sql``}
      order by k.created_at desc limit 100000`,
  )
  return judged(found, (one) => keep ?? one.keep ?? server.keep)
}

/** The preview with at most as many backups as an answer contains. */
export const shown = (preview: Preview): Preview => ({ ...preview, backups: preview.backups.slice(0, 2000) })

/**
 * Which backups of a website or a server `keep` would keep and remove, regardless of the policies that apply to them.
 */
export async function toKeep(
  db: Db,
  of: { websiteId?: number; serverId?: number },
  keep: KeepPolicy,
): Promise<Preview> {
  const which = of.websiteId === undefined ? sql`k.server_id = ${of.serverId}` : sql`k.website_id = ${of.websiteId}`
  const found = await rows<Candidate>(
    db,
    sql`select ${candidate} from ${candidates} and ${which} order by k.created_at desc limit 20000`,
  )
  return judged(found, () => keep)
}

/**
 * Applies the policy separately to each website, kind and schedule: an hourly dump never replaces a nightly backup of
 * everything.
 */
function judged(found: readonly Candidate[], policy: (one: Candidate) => KeepPolicy): Preview {
  const groups = Map.groupBy(found, (one) => `${one.websiteId} ${one.kind} ${one.scheduleId}`)
  const names = new Map(found.map((one) => [one.id, one]))
  const all = [...groups.values()].flatMap((group) => judge(group, policy(group[0]!)))
  const backups = all
    .map(({ id, at, reasons }) => ({
      id,
      at,
      reasons,
      websiteId: names.get(id)!.websiteId,
      domain: names.get(id)!.domain,
    }))
    .toSorted((a, b) => b.id - a.id)
  const go = backups.filter(({ reasons }) => !reasons.length).length
  return { stay: backups.length - go, go, backups }
}

export async function accessesOf(db: Db, backupServerId: number, repositoryId?: number): Promise<Access[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select backup_repository_id as id from backup_repositories where backup_server_id = ${backupServerId}
      and deleted_at is null and status = 'ready' ${repositoryId ? sql`and backup_repository_id = ${repositoryId}` : sql``}
      order by 1 limit 500`,
  )
  const all = await accessesTo(
    db,
    found.map(({ id }) => id),
  )
  if (!all.length)
    throw refused(
      'There is no ready repository',
      repositoryId ? { repositoryId: 'Is not a ready repository of this backup server' } : undefined,
    )
  return all
}
