import type { stagings as contract } from '@innkeeper/contract/stagings'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Context, Handlers } from '../kit/api.ts'
import { type Db, rows } from '../kit/db.ts'
import { conflict, invalid, notFound, refused } from '../kit/errors.ts'
import { startOn } from '../websites/begin.ts'
import { readSite } from '../websites/site.ts'
import { readWebsite } from '../websites/view.ts'
import './lifecycle.ts'
import { databases } from '../databases/tables.ts'
import { readChanges, readHeldMail } from './looks.ts'
import { makeStaging } from './make.ts'
import { accountOf, pairsOf, readMerges, readStaging, readStagings } from './read.ts'
import { mergeSteps, revertSteps, type Taking } from './steps.ts'
import { merges } from './tables.ts'

/** What a spool folder keeps at most, see the agent's. */
const MOST_DAYS = 30

export const stagingsHandlers: Handlers<typeof contract> = {
  async ofWebsite({ id }, { db }) {
    const website = await readWebsite(db, id)
    const items = await readStagings(db, id)
    const live = website.kind === 'staging' ? (items[0]?.liveId ?? id) : id
    return { items, merges: await readMerges(db, live), total: items.length }
  },
  changes: ({ id }, { app }) => readChanges(app, id),
  heldMail: ({ id }, { app }) => readHeldMail(app, id),

  async create({ id, websiteId, ...wish }, context) {
    if (websiteId !== undefined && websiteId !== id) throw invalid({ websiteId: 'Is not the website of the address' })
    const { db, audit, staff, status } = context
    const { site, plan } = await makeStaging(context, id, wish)
    const workflowId = await startOn(db, site, 'website.stage', plan, staff, { locks: [`website:${id}`] })
    const data = await readWebsite(db, site.id)
    audit.of('website', site.id)
    audit.workflow(workflowId)
    audit.after(data)
    status(201)
    return { data, workflowId }
  },

  async merge({ websiteId, userId, files = true, tables = 'all' }, context) {
    const { db, app, staff } = context
    const staging = await readStaging(db, websiteId)
    const [copy, live] = [await readWebsite(db, websiteId), await readWebsite(db, staging.liveId)]
    if (userId !== undefined && userId !== live.ownerId)
      throw refused(`${live.domain} is not of owner ${userId}`, { userId: 'Is not its owner' })
    for (const one of [copy, live])
      if (one.status !== 'active') throw refused(`${one.domain} is ${one.status}: both have to be active`)
    if (copy.serverId !== live.serverId)
      throw refused(
        `${copy.domain} is on ${copy.serverName}, ${live.domain} on ${live.serverName}: move one to the other first`,
      )
    if (!staging.copiedAt) throw refused(`${copy.domain} is not a whole copy yet`)
    const taking = await takingOf(db, websiteId, files, tables)
    const days = Math.min(app.settings.trashDays, MOST_DAYS)
    const [made] = await db
      .insert(merges)
      .values({
        stagingId: websiteId,
        websiteId: live.id,
        status: 'merging',
        files,
        tables: taking.databases.map((one) => ({ databaseId: one.live.id, name: one.live.name, tables: one.tables })),
        by: staff.name,
        keptUntil: sql`now() + make_interval(days => ${days}::int)` as unknown as string,
        createdBy: staff.id,
      })
      .returning({ id: merges.id })
    const plan = mergeSteps(await readSite(db, live.id), await readSite(db, websiteId), made!.id, taking, days)
    return begin(context, live.id, 'website.merge', plan, made!.id, [`website:${websiteId}`])
  },

  async revert({ id }, context) {
    const { db, audit } = context
    const [merge] = await db.select().from(merges).where(eq(merges.id, id)).for('update')
    if (!merge) throw notFound('merge', id)
    audit.before({ status: merge.status })
    const live = await readWebsite(db, merge.websiteId)
    if (merge.status !== 'merged') throw conflict(`That merge is ${merge.status}: it cannot be reverted`)
    if (Date.parse(merge.keptUntil) < Date.now()) throw refused('What the website was before is not kept any more')
    const [later] = await db
      .select({ id: merges.id })
      .from(merges)
      .where(and(eq(merges.websiteId, merge.websiteId), sql`${merges.id} > ${id}`, eq(merges.status, 'merged')))
    if (later) throw refused(`Merge ${later.id} came after it: revert that one first`)
    if (live.status !== 'active') throw refused(`${live.domain} is ${live.status}`)
    const ids = merge.tables.map((one) => one.databaseId)
    const found = ids.length
      ? await db
          .select()
          .from(databases)
          .where(and(inArray(databases.id, ids), isNull(databases.deletedAt)))
      : []
    if (found.length !== ids.length) throw refused('One of its databases is gone: bring that back first')
    const named = []
    for (const { id: databaseId, name } of found) {
      const account = await accountOf(db, databaseId)
      if (!account) throw refused(`Nobody comes to ${name}`)
      named.push({ id: databaseId, name, user: account.user })
    }
    const taken = await rows<{ id: number }>(
      db,
      sql`select action_id::float8 as id from actions where workflow_id = ${merge.workflowId}
        and name = 'document-root.merge' and status = 'done'`,
    )
    const plan = revertSteps(
      await readSite(db, live.id),
      id,
      named,
      taken.map((one) => one.id),
      MOST_DAYS,
    )
    await db.update(merges).set({ status: 'reverting' }).where(eq(merges.id, id))
    return begin(context, live.id, 'website.revert', plan, id)
  },
}

/** Starts it on the live website, and says on the merge which workflow is at work. */
async function begin(
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

type Tables = Parameters<(typeof stagingsHandlers)['merge']>[0]['tables']

async function takingOf(db: Db, stagingId: number, files: boolean, wanted: NonNullable<Tables>): Promise<Taking> {
  const pairs = await pairsOf(db, stagingId)
  if (wanted === 'none' || wanted === 'all') {
    const all = wanted === 'all' ? pairs.map((pair) => ({ ...pair, tables: 'all' as const })) : []
    if (!files && !all.length) throw refused('Nothing of it is to be taken', { tables: 'Choose files, tables or both' })
    return { files, databases: all }
  }
  const chosen = wanted.map(({ databaseId, tables }) => {
    const pair = pairs.find(({ live }) => live.id === databaseId)
    if (!pair)
      throw refused(`Database ${databaseId} has no copy there`, { tables: `Database ${databaseId} has no copy` })
    return { ...pair, tables: [...new Set(tables)] }
  })
  if (!files && !chosen.length)
    throw refused('Nothing of it is to be taken', { tables: 'Choose files, tables or both' })
  return { files, databases: chosen }
}
