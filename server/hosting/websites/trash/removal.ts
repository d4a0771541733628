import type { Website } from '@innkeeper/contract/hosting/websites'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import { cancelStopped } from '../../../kit/work/cancel.ts'
import { workflows } from '../../../kit/work/tables.ts'
import { stopsHalfway, titleOf } from '../../../kit/work/workflow.ts'
import { holdAccount, lockOf } from '../../systemUsers/hold.ts'
import { leaveWith, type Member, readFamily } from '../family.ts'
import { unlinking } from '../folders.ts'
import { allNames } from '../names.ts'
import { namesEnded, stepsOut } from '../parts/parts.ts'
import { renamed } from '../parts/renamed.ts'
import { readSite, readSites, withNames } from '../site.ts'
import { begin, startOn } from '../startWorkflow.ts'
import { deletion } from '../steps.ts'
import { websites } from '../tables.ts'
import { readWebsite } from '../view.ts'

interface Asked {
  id: number
  version?: number | undefined
  excludeActions?: string[] | undefined
}

/** Deletes a website after its members. Deleting an alias removes a name from its website. */
export async function removeWebsite({ id, version, excludeActions }: Asked, context: Context) {
  const { db, audit, staff, app } = context
  const website = await readWebsite(db, id)
  audit.before(website)
  checkVersion(website, version, website.domain)
  if (website.status === 'deleting') throw refused(`${website.domain} is already being deleted`)
  if (website.status === 'deleted') throw refused(`${website.domain} is already in the trash`)
  if (website.status === 'migrating')
    throw refused(`${website.domain} is being moved to another server: wait until the move ends, or roll it back`)
  const family = await readFamily(db, id)
  const { trashDays } = app.settings
  const websitesOfAccount = await holdAccount(db, website.systemUserId)
  for (const member of [website, ...family]) await cancel(db, member, staff.name)
  await leave(db, website, trashDays)
  const familyIds = family.map((member) => member.id)
  await leaveWith(db, familyIds, trashDays)
  if (website.kind === 'alias')
    return begin(context, website, 'website.delete', await nameGoes(db, website), {
      exclude: excludeActions,
      locks: [`website:${website.parentId}`],
    })
  const own = family.filter(({ kind, systemUserId }) => kind !== 'alias' && systemUserId === website.systemUserId)
  const lastOfUser = websitesOfAccount === own.length + 1
  return begin(context, website, 'website.delete', await removalPlan(db, id, family, lastOfUser, trashDays), {
    exclude: excludeActions,
    locks: [...familyIds.map((member) => `website:${member}`), ...(lastOfUser ? [lockOf(website.systemUserId)] : [])],
  })
}

async function removalPlan(db: Db, id: number, family: Member[], last: boolean, days: number): Promise<PlanStep[]> {
  const all = [...family.filter(({ kind }) => kind !== 'alias').map((member) => member.id), id]
  const steps: PlanStep[] = []
  for (const site of await readSites(db, all)) {
    const others = await stepsOut('remove', db, site, days)
    // folders of former names are symlinks to this folder, so they are removed first
    const old = family.filter(({ parentId, until }) => parentId === site.id && until !== null)
    others.push(...old.flatMap(({ domain }) => unlinking(site, domain)))
    steps.push(...deletion(site, site.id === id && last, days, others))
  }
  return steps
}

/** Steps that serve a website without this alias. */
async function nameGoes(db: Db, { parentId, domain, mode, until }: Website): Promise<PlanStep[]> {
  if (parentId === null) throw refused(`${domain} does not belong to a website`)
  const { status } = await readWebsite(db, parentId)
  const site = await readSite(db, parentId) // readSite leaves out names that are being deleted
  const before = await withNames(db, site, { add: [{ domain, mode }] })
  const state = status === 'suspended' ? 'suspended' : 'active'
  const isFormer = until !== null
  const gone = allNames(before).filter((name) => !allNames(site).includes(name))
  return [
    ...(await renamed(db, before, site, state)),
    ...(isFormer ? unlinking(site, domain) : []),
    // records that people set by hand stay
    ...(isFormer ? await namesEnded(db, site, gone) : []),
  ]
}

const leave = (db: Db, { id, status }: Website, trashDays: number) =>
  db
    .update(websites)
    .set({
      status: 'deleting',
      statusBefore: status === 'suspended' ? 'suspended' : 'active',
      purgeAfter: sql`now() + make_interval(days => ${trashDays}::int)`,
      ...nextVersion,
    })
    .where(eq(websites.id, id))

/** Removes a former name whose redirect period is over. */
export async function endName(tx: Db, id: number): Promise<void> {
  const alias = await readWebsite(tx, id)
  await leave(tx, alias, 0)
  await startOn(
    tx,
    alias,
    'website.delete',
    await nameGoes(tx, alias),
    { id: null, name: 'Innkeeper' },
    {
      locks: [`website:${alias.parentId}`],
    },
  )
}

/**
 * Cancels a stopped workflow to release its locks for the deletion. Refuses for a rename that stopped between the old
 * and the new name.
 */
async function cancel(db: Db, { domain, workflowId }: { domain: string; workflowId: number | null }, by: string) {
  if (!workflowId) return
  const [stopped] = await db
    .select({ kind: workflows.kind })
    .from(workflows)
    .where(and(eq(workflows.id, workflowId), eq(workflows.status, 'failed')))
  if (!stopped) return
  if (stopped.kind === 'website.rename')
    throw refused(`The rename of ${domain} has stopped half-way: continue it or roll it back first`)
  if (stopsHalfway(stopped.kind))
    throw refused(`"${titleOf(stopped.kind)}" has stopped half-way: continue it or roll it back first`)
  await cancelStopped(db, workflowId, by)
}

export async function hasStopped(db: Db, workflowId: number): Promise<boolean> {
  const [workflow] = await db.select({ status: workflows.status }).from(workflows).where(eq(workflows.id, workflowId))
  return workflow?.status === 'failed'
}
