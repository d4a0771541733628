import type { FileVersion } from '@innkeeper/contract/recovery/backups/shapes'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { rows } from '../../../kit/db/db.ts'
import { type Access, localOf } from '../repositories/access.ts'

/** Maximum number of backups that one call examines, newest first. */
const MOST = 500
const Found = z.object({
  items: z.array(
    z.object({
      snapshot: z.string(),
      size: z.number(),
      mode: z.int(),
      modifiedAt: z.string(),
      changedAt: z.string(),
    }),
  ),
})

/**
 * The versions of a file in the backups of its website in one repository, newest first. Consecutive backups with the
 * same file count as one version. `elsewhere`: backups in other repositories, from before a move.
 */
export async function versionsOf(
  app: App,
  { websiteId, repositoryId }: { websiteId: number; repositoryId: number },
  access: Access,
  path: string,
): Promise<{ items: FileVersion[]; searched: number; elsewhere: number }> {
  const all = await rows<{ id: number; at: string; snapshot: string }>(
    app.db,
    sql`select k.backup_id as id, coalesce(k.started_at, k.created_at) as at, p ->> 'snapshot' as snapshot
      from backups k cross join jsonb_array_elements(k.parts) p
      where k.website_id = ${websiteId} and k.backup_repository_id = ${repositoryId} and k.deleted_at is null and not k.leaving
        and p ->> 'resource' = 'website' and p ->> 'snapshot' is not null
      order by k.created_at desc, k.backup_id desc limit ${MOST}`,
  )
  const [others] = await rows<{ n: number }>(
    app.db,
    sql`select count(*)::int as n from backups where website_id = ${websiteId} and backup_repository_id <> ${repositoryId}
      and deleted_at is null`,
  )
  const input = { ...localOf(access), snapshots: all.map(({ snapshot }) => snapshot), path }
  const answer = all.length
    ? await liveRead(app, access.backupServer.serverId, 'backup-tree.versions', input)
    : { items: [] }
  const found = new Map(Found.parse(answer).items.map((one) => [one.snapshot, one]))
  const items: FileVersion[] = []
  let before = ''
  for (const { id, at, snapshot } of all) {
    const file = found.get(snapshot)
    const { size = 0, mode = 0, modifiedAt = '', changedAt = '' } = file ?? {}
    const mark = file ? [size, mode, modifiedAt, changedAt].join(' ') : ''
    const last = items.at(-1)
    if (mark && mark === before && last) last.backups += 1
    else if (mark) items.push({ ...{ backupId: id, at: isoOf(at), backups: 1 }, ...{ size, mode, modifiedAt } })
    before = mark
  }
  return { items, searched: all.length, elsewhere: others?.n ?? 0 }
}
