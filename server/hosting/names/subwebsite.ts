import type { Website } from '@innkeeper/contract/hosting/websites'
import { sitePath } from '@innkeeper/contract/kit/values'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { plans } from '../plans/tables.ts'
import { rootPath } from '../websites/folders.ts'
import { namesOf } from '../websites/names.ts'
import { freeDomain } from '../websites/placement/placement.ts'
import type { Checked } from '../websites/placement/problems.ts'
import { readSite } from '../websites/site.ts'
import type { Site } from '../websites/siteSteps.ts'
import { subCreation } from '../websites/steps.ts'

export interface WantedSub {
  domain?: string | undefined
  root?: 'own' | 'parent' | undefined
  folder?: string | undefined
}
export interface SubChoice extends Checked {
  domain?: string
  documentRoot?: string
  actions: PlanStep[]
}

/** Checks the input for a sub-website without writing. */
export async function chooseSub(db: Db, parent: Website, wanted: WantedSub): Promise<SubChoice> {
  const checked: Checked = { problems: {} }
  const { problems } = checked
  if (parent.kind !== 'main')
    problems.domain = `${parent.domain} belongs to ${parent.parentDomain} itself: add the sub-website to that`
  else if (parent.status !== 'active') problems.domain = `${parent.domain} is ${parent.status}: it has to be active`
  const domain = problems.domain ? undefined : await freeDomain(db, wanted.domain, parent.ownerId, checked)
  const full = await isFull(db, parent)
  if (full) problems.domain ??= full
  const root = wanted.root ?? 'own'
  if (root === 'own' && wanted.folder) problems.folder = `A folder is one of the root of ${parent.domain}`
  const below = `${parent.documentRoot}${wanted.folder ? `/${wanted.folder}` : ''}`
  if (root === 'parent' && !sitePath.safeParse(below).success) problems.folder = 'Folders such as blog or shop/en'
  if (!domain || Object.keys(problems).length) return { ...checked, actions: [] }
  const documentRoot = root === 'own' ? rootPath(parent.username, domain) : below
  const site = await readSite(db, parent.id)
  const sub: Site = { ...site, id: 0, domain, ...namesOf(domain), documentRoot }
  return { ...checked, domain, documentRoot, actions: subCreation(sub, site.documentRoot) }
}

/** The problem if the account's plan has no room for another website. */
async function isFull(db: Db, { systemUserId, username, planId }: Website): Promise<string | undefined> {
  const [plan] = await db.select({ name: plans.name, most: plans.websites }).from(plans).where(eq(plans.id, planId))
  const [has] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from websites where system_user_id = ${systemUserId} and deleted_at is null and kind <> 'alias'`,
  )
  return plan && has && has.n >= plan.most
    ? `The account ${username} is full: the plan ${plan.name} has ${plan.most === 1 ? 'one website' : `${plan.most} websites`}`
    : undefined
}
