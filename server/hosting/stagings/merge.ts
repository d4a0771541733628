import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { serverStates } from '../../machines/servers/tables.ts'
import { stepsIn } from '../websites/parts/parts.ts'
import { readSite } from '../websites/site.ts'
import type { Site } from '../websites/siteSteps.ts'
import { startOn } from '../websites/startWorkflow.ts'
import { readWebsite } from '../websites/view.ts'
import type { Parts } from './changes.ts'
import { formerNames } from './formerName.ts'
import { pairsOf, readStaging } from './read.ts'
import { mergeSteps, type Seen, type Taking } from './steps.ts'
import { merges } from './tables.ts'

/** Maximum number of days for which the agent keeps files in a spool folder. */
export const MOST_DAYS = 30

/** Operations that the agent must support. */
const needed = ['merge.prepare', 'merge.swap', 'merge.keep', 'merge.bring', 'database.unchanged', 'database.own-names']

/** Reads a copy and its live website. Throws the reason if the copy cannot be merged now. */
export async function mergeable(db: Db, websiteId: number, userId: number | undefined) {
  const staging = await readStaging(db, websiteId)
  const [copy, live] = [await readWebsite(db, websiteId), await readWebsite(db, staging.liveId)]
  if (userId !== undefined && userId !== live.ownerId)
    throw refused(`${live.domain} does not belong to owner ${userId}`, { userId: 'This is not its owner' })
  for (const one of [copy, live])
    if (one.status !== 'active') throw refused(`${one.domain} is ${one.status}: both must be active`)
  if (copy.serverId !== live.serverId)
    throw refused(
      `${copy.domain} is on ${copy.serverName}, ${live.domain} on ${live.serverName}: move the copy or the website to the other server first`,
    )
  const [state] = await db.select().from(serverStates).where(eq(serverStates.serverId, live.serverId))
  if (state && needed.some((operation) => !state.operations.includes(operation)))
    throw refused(`The agent of ${live.serverName} is too old to merge: update it first`)
  if (!staging.copiedAt) throw refused(`${copy.domain} is not complete yet`)
  return { copy, live }
}

/** Checks again and starts the merge, in the caller's transaction. */
export async function startMerge(
  context: Context,
  websiteId: number,
  userId: number | undefined,
  parts: Parts,
  seen: Seen,
) {
  const { db, app, staff } = context
  const { live } = await mergeable(db, websiteId, userId)
  const taking = await takingOf(db, websiteId, parts)
  const days = Math.min(app.settings.trashDays, MOST_DAYS)
  const [made] = await db
    .insert(merges)
    .values({
      stagingId: websiteId,
      websiteId: live.id,
      status: 'merging',
      files: taking.files,
      paths: taking.paths,
      tables: taking.databases.map((one) => ({ databaseId: one.live.id, name: one.live.name, tables: one.tables })),
      by: staff.name,
      keptUntil: sql`now() + make_interval(days => ${days}::int)` as unknown as string,
      systemUserId: live.systemUserId,
      createdBy: staff.id,
    })
    .returning({ id: merges.id })
  const site = await readSite(db, live.id)
  const copy = await readSite(db, websiteId)
  const [forget, names] = [await stepsIn('forget', db, site), await strangeNames(db, site, copy)]
  const plan = mergeSteps(site, copy, made!.id, taking, { seen, keepDays: days, forget, names })
  const begun = await begin(context, live.id, 'website.merge', plan, made!.id, [`website:${websiteId}`])
  await db.update(merges).set({ mergedById: begun.workflowId }).where(eq(merges.id, made!.id))
  return begun
}

/** Starts a workflow on the live website and stores its id in the merge. */
export async function begin(
  { db, audit, staff }: Context,
  liveId: number,
  kind: string,
  plan: Parameters<typeof startOn>[3],
  mergeId: number,
  locks: string[] = [],
) {
  const { domain } = await readWebsite(db, liveId)
  const workflowId = await startOn(db, { id: liveId, domain }, kind, plan, staff, { locks })
  await db.update(merges).set({ workflowId }).where(eq(merges.id, mergeId))
  audit.of('website', liveId)
  audit.workflow(workflowId)
  return { data: await readWebsite(db, liveId), workflowId }
}

/** Names that the tables of a copy may contain instead of the website's own: the copy's, and former ones of both. */
async function strangeNames(db: Db, live: Site, copy: Site): Promise<string[]> {
  const { copiedAt } = await readStaging(db, copy.id)
  const former = [...(await formerNames(db, copy, [copiedAt])), ...(await formerNames(db, live, [copiedAt]))]
  return [...new Set([copy.domain, ...former.flatMap((name) => name ?? [])])].filter((name) => name !== live.domain)
}

export async function takingOf(
  db: Db,
  stagingId: number,
  { files = true, paths, tables: wanted = 'all' }: Parts,
): Promise<Taking> {
  if (paths && !files) throw refused('Files are not selected', { paths: 'Files are not selected' })
  const taken = { files, paths: paths && [...new Set(paths)] }
  const pairs = await pairsOf(db, stagingId)
  if (wanted === 'none' || wanted === 'all') {
    const all = wanted === 'all' ? pairs.map((pair) => ({ ...pair, tables: 'all' as const })) : []
    if (!files && !all.length) throw refused('Nothing is chosen', { tables: 'Choose files, tables or both' })
    return { ...taken, databases: all }
  }
  const chosen = wanted.map(({ databaseId, tables }) => {
    const pair = pairs.find(({ live }) => live.id === databaseId)
    if (!pair)
      throw refused(`Database ${databaseId} has no copy there`, { tables: `Database ${databaseId} has no copy` })
    return { ...pair, tables: [...new Set(tables)] }
  })
  if (!files && !chosen.length) throw refused('Nothing is chosen', { tables: 'Choose files, tables or both' })
  return { ...taken, databases: chosen }
}
