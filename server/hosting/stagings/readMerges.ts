import type { Merge } from '@innkeeper/contract/hosting/stagings/shapes'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { servers } from '../../machines/servers/tables.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { websites } from '../websites/tables.ts'
import { readWebsite } from '../websites/view.ts'
import { formerNames } from './formerName.ts'
import { merges } from './tables.ts'

/** Merges into a website, newest first. */
export async function readMerges(db: Db, websiteId: number): Promise<Merge[]> {
  const found = await db
    .select({ merge: merges, stagingDomain: websites.domain })
    .from(merges)
    .innerJoin(websites, eq(websites.id, merges.stagingId))
    .where(eq(merges.websiteId, websiteId))
    .orderBy(desc(merges.id))
    .limit(50)
  if (!found.length) return []
  const live = await readWebsite(db, websiteId)
  const why = await whyNotReverted(
    db,
    live,
    found.map(({ merge }) => merge),
  )
  const names = await formerNames(
    db,
    live,
    found.map(({ merge }) => merge.createdAt),
  )
  return found.map(({ merge: { createdAt, mergedById: _, systemUserId: __, ...merge }, stagingDomain }, i) => ({
    ...merge,
    stagingDomain,
    at: createdAt,
    notRevertible: why[i] ?? null,
    formerDomain: names[i] ?? null,
  }))
}

type MergeRow = typeof merges.$inferSelect

/** Why a merge in this state cannot be reverted, and what to do instead. */
const words: Record<Exclude<MergeRow['status'], 'merged'>, string> = {
  merging: 'This merge still runs',
  failed: 'This merge stopped halfway: open its task, and roll it back or repeat the failed action',
  undone: 'This merge was rolled back: the website has its former content',
  reverting: 'This merge is being reverted: if that has stopped, open its task',
  reverted: 'This merge is reverted already',
}

/**
 * For each merge, why it cannot be reverted now; undefined if it can. The former data stays on the server of the merge
 * and belongs to the account of that time, so that after a move of the website only a move back makes a revert
 * possible.
 */
export async function whyNotReverted(
  db: Db,
  live: Pick<Website, 'id' | 'domain' | 'systemUserId' | 'serverName'>,
  some: readonly MergeRow[],
): Promise<(string | undefined)[]> {
  const [last] = await db
    .select({ id: merges.id })
    .from(merges)
    .where(and(eq(merges.websiteId, live.id), eq(merges.status, 'merged')))
    .orderBy(desc(merges.id))
    .limit(1)
  const accounts = await db
    .select({ id: systemUsers.id, server: servers.name })
    .from(systemUsers)
    .innerJoin(servers, eq(servers.id, systemUsers.serverId))
    .where(inArray(systemUsers.id, [0, ...some.flatMap(({ systemUserId }) => systemUserId ?? [])]))
  return some.map(({ id, status, keptUntil, systemUserId }) => {
    if (status !== 'merged') return words[status]
    if (last && last.id > id) return `Merge ${last.id} is newer: revert that merge first`
    if (Date.parse(keptUntil) < Date.now()) return 'The former data of the website is no longer kept'
    if (systemUserId === null) return 'An earlier version of Innkeeper made this merge: the former data is in the trash'
    if (systemUserId === live.systemUserId) return undefined
    const server = accounts.find((one) => one.id === systemUserId)?.server
    return `${live.domain} has moved to ${live.serverName} since. Its data from before the merge is on ${server}`
  })
}
