import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { makeDatabase } from '../databases/create.ts'
import { databases } from '../databases/tables.ts'
import { findOwner } from '../systemUsers/place.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { aliasesAlong } from '../websites/aliasesAlong.ts'
import { copySettings } from '../websites/copySettings.ts'
import { freeDomain, freeUsername } from '../websites/placement/placement.ts'
import { type Checked, refusalOf } from '../websites/placement/problems.ts'
import { readSite } from '../websites/site.ts'
import type { Site } from '../websites/siteSteps.ts'
import { websites } from '../websites/tables.ts'
import { readWebsite } from '../websites/view.ts'
import { copyable } from './liveReads.ts'
import { accountOf, type Pair } from './read.ts'
import { stagingSteps } from './steps.ts'
import { stagings } from './tables.ts'

interface Requested {
  websiteEnvironment?: 'production' | 'staging' | 'development' | undefined
  userId?: number | undefined
  domain?: string | undefined
}

/** Inserts the rows of a copy, with an account and databases of its own, and returns the steps that create the copy. */
export async function makeStaging(
  context: Context,
  liveId: number,
  requested: Requested,
): Promise<{ site: Site; plan: PlanStep[] }> {
  const { db, app, staff } = context
  const live = await readWebsite(db, liveId)
  if (live.kind !== 'main' && live.kind !== 'sub')
    throw refused(
      `${live.domain} is ${live.kind === 'alias' ? 'an alias' : 'a staging copy itself'}: it cannot be copied`,
    )
  if (live.status !== 'active') throw refused(`${live.domain} is ${live.status}: only an active website can be copied`)
  const checked: Checked = { problems: {} }
  const { problems } = checked
  const owner = await findOwner(db, requested.userId ?? live.ownerId, problems)
  const domain = await freeDomain(db, requested.domain ?? (await nextName(db, live.domain)), owner?.id, checked)
  const username = await freeUsername(db, live.serverId, domain?.replace(/[.-]/g, ''), undefined, problems)
  if (Object.keys(problems).length) throw refusalOf(checked)
  if (!owner || !domain || !username) throw refused('No account name is free')
  const of = { ownerId: owner.id, serverId: live.serverId, planId: live.planId, createdBy: staff.id }
  const [account] = await db
    .insert(systemUsers)
    .values({ ...of, username, homeDir: `/home/${username}`, shell: '/usr/sbin/nologin' })
    .returning({ id: systemUsers.id })
  const [made] = await db
    .insert(websites)
    .values({
      ...of,
      domain,
      kind: 'staging',
      environment: requested.websiteEnvironment ?? 'staging',
      status: 'creating',
      parentId: liveId,
      systemUserId: account!.id,
      documentRoot: `/home/${username}/${domain}/public`,
      phpVersion: live.phpVersion,
    })
    .returning({ id: websites.id })
  await db.insert(stagings).values({ id: made!.id, liveId })
  const from = await readSite(db, liveId)
  await copySettings(db, liveId, made!.id, staff.id)
  await aliasesAlong(db, liveId, made!.id)
  const site = await readSite(db, made!.id)
  const pairs: Pair[] = []
  const steps: PlanStep[] = []
  for (const one of await copyable(db, liveId)) {
    const theirs = await accountOf(db, one.id)
    if (!theirs) throw refused(`No account has access to ${one.name}: it has no account to copy`)
    const copy = await makeDatabase(
      app,
      db,
      site,
      { engine: one.engine, ...(one.engine === 'mariadb' && { charset: one.charset, collation: one.collation }) },
      staff.id,
    )
    await db.update(databases).set({ copyOfId: one.id }).where(eq(databases.id, copy.database.id))
    pairs.push({
      live: { id: one.id, engine: one.engine, name: one.name, user: theirs.user },
      copy: {
        id: copy.database.id,
        engine: copy.database.engine,
        name: copy.database.name,
        user: copy.account.username,
        secret: copy.account.secret,
      },
    })
    steps.push(...copy.steps)
  }
  return { site, plan: stagingSteps(from, site, pairs, steps) }
}

/** `staging-1.shop.example`, or the next free number. */
async function nextName(db: Db, domain: string): Promise<string> {
  const taken = await rows<{ domain: string }>(
    db,
    sql`select domain from websites where domain like ${`staging-%.${domain}`} and deleted_at is null`,
  )
  const names = new Set(taken.map((one) => one.domain))
  for (let n = 1; ; n++) if (!names.has(`staging-${n}.${domain}`)) return `staging-${n}.${domain}`
}
