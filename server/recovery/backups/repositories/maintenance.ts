import { judge, type KeepPolicy } from '@innkeeper/contract/recovery/backups/keep'
import type { Preview } from '@innkeeper/contract/recovery/backups/shapes'
import type { BackupKind } from '@innkeeper/contract/recovery/backups/values'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { readServer } from '../servers/view.ts'
import { type Access, accessesTo } from './access.ts'

export type By = { id: number | null; name: string }
export type Audit = Pick<Context['audit'], 'workflow' | 'of' | 'after'>
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
  repositoryId: number
  domain: string
  kind: BackupKind
  partial: boolean
  /** The schedule that made the backup; null if there is none or it was deleted. */
  scheduleId: number | null
  keep: KeepPolicy | null
}
/** Columns by which a keep policy judges backups `k` with their schedules `s`. */
const candidate = sql`k.backup_id as id, to_char(k.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, k.held,
  k.website_id as "websiteId", k.backup_repository_id as "repositoryId", k.domain, k.kind, k.status = 4 as partial, s.backup_schedule_id as "scheduleId", s.keep`
const candidates = sql`backups k join backup_repositories r on r.backup_repository_id = k.backup_repository_id
  left join backup_schedules s on s.backup_schedule_id = k.backup_schedule_id and s.deleted_at is null
  where k.deleted_at is null and k.status in (2, 4) and not k.leaving`

/** Number of backups that one query reads to judge them. */
const PAGE = 20_000
/** Number of judged backups in an answer, newest first. */
const SHOWN = 2000

/** A preview with the ids of all backups that go. `backups` holds only the newest. */
export interface Verdict extends Preview {
  goes: number[]
}

/**
 * Which backups a forget keeps and removes: by `keep`, else by the policy of the schedule, else by that of the backup
 * server.
 */
export async function toForget(
  db: Db,
  backupServerId: number,
  { repositoryId, keep }: Which,
  page = PAGE,
): Promise<Verdict> {
  const server = await readServer(db, backupServerId)
  const which = sql`r.backup_server_id = ${backupServerId} ${repositoryId ? sql`and r.backup_repository_id = ${repositoryId}` : sql``}`
  return judged(db, which, (one) => keep ?? one.keep ?? server.keep, page)
}

/**
 * Which backups of a website or a server `keep` would keep and remove, regardless of the policies that apply to them.
 */
export const toKeep = (
  db: Db,
  of: { websiteId?: number; serverId?: number },
  keep: KeepPolicy,
  page = PAGE,
): Promise<Verdict> =>
  judged(
    db,
    of.websiteId === undefined ? sql`k.server_id = ${of.serverId}` : sql`k.website_id = ${of.websiteId}`,
    () => keep,
    page,
  )

/** The preview without the ids, as an answer. */
export const shown = ({ stay, go, backups }: Verdict): Preview => ({ stay, go, backups })

/**
 * Judges every backup, some websites at a time, because the memory holds all backups of the websites in a page. Applies
 * the policy separately to each repository, website, kind and schedule: an hourly dump never replaces a nightly backup of
 * everything, and a website that moved keeps backups in both repositories.
 */
async function judged(db: Db, which: SQL, policy: (one: Candidate) => KeepPolicy, page: number): Promise<Verdict> {
  const websites = await rows<{ id: number; n: number }>(
    db,
    sql`select k.website_id as id, count(*)::int as n from ${candidates} and ${which} group by 1 order by 1`,
  )
  const verdict: Verdict = { stay: 0, go: 0, backups: [], goes: [] }
  for (const ids of pagesOf(websites, page)) {
    const found = await rows<Candidate>(
      db,
      sql`select ${candidate} from ${candidates} and ${which} and k.website_id = any(${sql.param(ids)}::int[])
        order by k.created_at desc`,
    )
    const groups = Map.groupBy(found, (one) => `${one.repositoryId} ${one.websiteId} ${one.kind} ${one.scheduleId}`)
    const domains = new Map(found.map(({ id, websiteId, domain }) => [id, { websiteId, domain }]))
    for (const group of groups.values())
      for (const { id, at, reasons } of judge(group, policy(group[0]!))) {
        if (reasons.length) verdict.stay += 1
        else verdict.goes.push(id)
        verdict.backups.push({ id, at, reasons, ...domains.get(id)! })
      }
    verdict.backups = verdict.backups.toSorted((a, b) => b.id - a.id).slice(0, SHOWN)
  }
  verdict.goes.sort((a, b) => a - b)
  verdict.go = verdict.goes.length
  return verdict
}

/** Websites in groups of at most `page` backups; a website with more has a group of its own. */
function pagesOf(websites: readonly { id: number; n: number }[], page: number): number[][] {
  const pages: number[][] = []
  let room = 0
  for (const { id, n } of websites) {
    if (n > room || !pages.length) {
      pages.push([])
      room = page
    }
    pages.at(-1)!.push(id)
    room -= n
  }
  return pages
}

export async function accessesOf(db: Db, backupServerId: number, repositoryId?: number): Promise<Access[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select backup_repository_id as id from backup_repositories where backup_server_id = ${backupServerId}
      and deleted_at is null and status = 'ready' ${repositoryId ? sql`and backup_repository_id = ${repositoryId}` : sql``}
      order by 1`,
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
