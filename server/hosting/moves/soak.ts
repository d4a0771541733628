import { eq, sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { eachOf, failedLast } from '../../kit/work/round.ts'
import { start } from '../../kit/work/workflow.ts'
import { servers } from '../../machines/servers/tables.ts'
import { allParts } from '../websites/parts/parts.ts'
import { readSites } from '../websites/site.ts'
import type { Site } from '../websites/siteSteps.ts'
import { retirement } from './plan/plan.ts'
import { type By, type Move, siteAt, touch } from './startMove.ts'
import { migrations } from './tables.ts'

/**
 * Starts the workflow that moves the remains of a website to the trash of its old server. The website may have left the
 * new server since.
 */
export async function retire(tx: Db, move: Move, by: By, keepDays: number): Promise<number> {
  const [source] = await tx.select().from(servers).where(eq(servers.id, move.sourceServerId))
  const [target] = await tx.select().from(servers).where(eq(servers.id, move.targetServerId))
  // server rows are never removed from the table
  if (!source || !target?.address) throw new Error(`a server of the move ${move.id} is gone`)
  const left: Site[] = []
  for (const site of await readSites(
    tx,
    move.sites.map(({ id }) => id),
  )) {
    const moving = move.sites.find(({ id }) => id === site.id)
    // aliases have no files. The old server knows the website by its domain at the time of the move
    if (moving && site.kind !== 'alias')
      left.push({ ...(await siteAt(tx, site, moving.from, source)), domain: moving.domain })
  }
  const others = []
  for (const part of allParts().toReversed())
    for (const site of left) others.push(...((await part.leave?.(tx, site, keepDays)) ?? []))
  const workflowId = await start(tx, {
    kind: 'website.retire',
    subject: { type: 'website', id: move.sourceWebsiteId, name: move.domain },
    holder: by.name,
    startedById: by.id,
    plan: retirement(target.address, left, await emptied(tx, move), keepDays, others),
    locks: move.sites.map(({ id }) => `website:${id}`),
  })
  await touch(tx, move.id, { workflowId, status: 'running' })
  await changed(tx, 'moves', move.id)
  return workflowId
}

/** Old accounts without any other website, live or in the trash. */
async function emptied(tx: Db, { sites }: Move): Promise<number[]> {
  const accounts = [...new Set(sites.map(({ from }) => from.systemUserId))]
  if (!accounts.length) return []
  const used = await rows<{ id: number }>(
    tx,
    sql`select distinct system_user_id as id from websites
      where system_user_id in ${accounts} and (deleted_at is null or purged_at is null)`,
  )
  return accounts.filter((account) => !used.some(({ id }) => id === account))
}

/** Title of the round. */
const ROUND = 'the old server of a move could not be retired'
const WHO = { id: null, name: 'Innkeeper' }

/**
 * Retires the old servers of moves whose overlap (`soakUntil`) is over. The website's lock keeps other nodes from
 * retiring the same move.
 */
export async function retireOverdue(app: App): Promise<number> {
  const due = await app.db
    .select()
    .from(migrations)
    .where(
      sql`${migrations.status} = 'soaking' and ${migrations.type} = 'website' and ${migrations.soakUntil} < now()
        and not exists (select from resource_locks l where l.resource = 'website:' || ${migrations.sourceWebsiteId})`,
    )
    .orderBy(failedLast(app, ROUND, sql`${migrations.id}`), migrations.soakUntil)
    .limit(50)
  // 409: another workflow has the lock
  await eachOf(app, ROUND, due, ({ id }) =>
    app.db.transaction(async (tx) => {
      const [move] = await tx.select().from(migrations).where(eq(migrations.id, id)).for('update')
      if (move?.status === 'soaking') await retire(tx, move, WHO, app.settings.trashDays)
    }),
  )
  return due.length
}
