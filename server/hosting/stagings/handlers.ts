import type { stagings as contract } from '@innkeeper/contract/hosting/stagings/calls'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, invalid, notFound, refused } from '../../kit/http/errors.ts'
import { databases } from '../databases/tables.ts'
import { stepsIn } from '../websites/parts/parts.ts'
import { readSite } from '../websites/site.ts'
import { startOn } from '../websites/startWorkflow.ts'
import { readWebsite } from '../websites/view.ts'
import { confirmed, readChanges, readState } from './changes.ts'
import { makeStaging } from './create.ts'
import { formerNames } from './formerName.ts'
import { readHeldMail } from './liveReads.ts'
import { begin, MOST_DAYS, mergeable, startMerge, takingOf } from './merge.ts'
import { accountOf, readStagings } from './read.ts'
import { readMerges, whyNotReverted } from './readMerges.ts'
import { revertSteps } from './steps.ts'
import { merges } from './tables.ts'

export const stagingsHandlers: Handlers<typeof contract> = {
  async ofWebsite({ id }, { db }) {
    const website = await readWebsite(db, id)
    const items = await readStagings(db, id)
    const live = website.kind === 'staging' ? (items[0]?.liveId ?? id) : id
    return { items, merges: await readMerges(db, live), total: items.length }
  },
  changes: ({ id }, { app }) => readChanges(app, id),
  changesOf: ({ id, ...parts }, { app }) => readChanges(app, id, parts),
  heldMail: ({ id }, { app }) => readHeldMail(app, id),

  async create({ id, websiteId, ...requested }, context) {
    if (websiteId !== undefined && websiteId !== id)
      throw invalid({ websiteId: 'This differs from the website in the path' })
    const { db, audit, staff, status } = context
    const { site, plan } = await makeStaging(context, id, requested)
    const workflowId = await startOn(db, site, 'website.stage', plan, staff, { locks: [`website:${id}`] })
    const data = await readWebsite(db, site.id)
    audit.of('website', site.id)
    audit.workflow(workflowId)
    audit.after(data)
    status(201)
    return { data, workflowId }
  },

  async merge({ websiteId, userId, seen, ...parts }, context) {
    const { db, app, lastly } = context
    const { live } = await mergeable(db, websiteId, userId)
    await takingOf(db, websiteId, parts)
    const now = await readState(app, websiteId, parts, true)
    confirmed(now.changes, seen, live.domain)
    return lastly((tx) => startMerge({ ...context, db: tx }, websiteId, userId, parts, now.seen))
  },

  async revert({ id }, context) {
    const { db, audit } = context
    const [merge] = await db.select().from(merges).where(eq(merges.id, id)).for('update')
    if (!merge) throw notFound('merge', id)
    audit.before({ status: merge.status })
    const live = await readWebsite(db, merge.websiteId)
    const [problem] = await whyNotReverted(db, live, [merge])
    if (problem) throw merge.status === 'merged' ? refused(problem) : conflict(problem)
    if (live.status !== 'active') throw refused(`${live.domain} is ${live.status}`)
    const ids = merge.tables.map((one) => one.databaseId)
    const found = ids.length
      ? await db
          .select()
          .from(databases)
          .where(and(inArray(databases.id, ids), isNull(databases.deletedAt)))
      : []
    if (found.length !== ids.length) throw refused('One of its databases was deleted: restore it first')
    const named = []
    for (const { id: databaseId, engine, name } of found) {
      const account = await accountOf(db, databaseId)
      if (!account) throw refused(`No account has access to ${name}`)
      const tables = merge.tables.find((one) => one.databaseId === databaseId)?.tables ?? 'all'
      named.push({ id: databaseId, engine, name, user: account.user, tables })
    }
    const taken = await rows<{ id: number }>(
      db,
      sql`select action_id::float8 as id from actions where workflow_id = ${merge.mergedById}
        and name = 'merge.keep' and status = 'done'`,
    )
    const site = await readSite(db, live.id)
    const plan = revertSteps(
      site,
      id,
      named,
      taken.map((one) => one.id),
      {
        ...{ keepDays: MOST_DAYS, forget: await stepsIn('forget', db, site) },
        names: (await formerNames(db, site, [merge.createdAt])).flatMap((name) => name ?? []),
      },
    )
    await db.update(merges).set({ status: 'reverting' }).where(eq(merges.id, id))
    return begin(context, live.id, 'website.revert', plan, id)
  },
}
