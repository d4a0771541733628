import type { Input } from '@innkeeper/contract/kit/endpoint'
import { application as applicationSchema, USUAL } from '@innkeeper/contract/net/originVhosts/applications'
import type { originVhosts as contract } from '@innkeeper/contract/net/originVhosts/calls'
import type { OriginVhost, WebsiteRules } from '@innkeeper/contract/net/originVhosts/shapes'
import { wrongRules } from '@innkeeper/contract/net/ownRules/judges'
import { desc, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { readSite, rulesIn } from '../../../hosting/websites/site.ts'
import { type Site, served } from '../../../hosting/websites/siteSteps.ts'
import { originVhosts, ownRules, websites } from '../../../hosting/websites/tables.ts'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { invalid, notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion } from '../../../kit/http/version.ts'
import { begin } from './begin.ts'
import type { Change } from './change.ts'
import { readOrigin } from './view.ts'

const MOST_SHOWN = 50

/** The application and the own rules of a website, with the newest versions. */
export async function readRules(db: Db, id: number): Promise<WebsiteRules> {
  await readOrigin(db, id)
  const [now] = await rows<Pick<WebsiteRules, 'chosen' | 'found' | 'current' | 'total'>>(
    db,
    sql`select v.application as chosen, w.found_application as found, v.rules_number as current,
        (select count(*)::int from own_rules r where r.website_id = w.website_id) as total
      from websites w left join origin_vhosts v using (website_id) where w.website_id = ${id}`,
  )
  if (!now) throw notFound('origin vhost', id)
  const { rules } = await readSite(db, id)
  const versions = await db
    .select()
    .from(ownRules)
    .where(eq(ownRules.websiteId, id))
    .orderBy(desc(ownRules.number))
    .limit(MOST_SHOWN)
  return {
    ...now,
    nginx: rules?.nginx ?? '',
    apache: rules?.apache ?? '',
    versions: versions.map(({ number, nginx, apache, note, staffName, createdAt }) => ({
      ...{ number, nginx, apache, note, staffName, at: createdAt },
    })),
  }
}

const Found = z.object({ found: z.array(z.object({ id: z.int(), application: applicationSchema.nullable() })) })
export interface Looked {
  id: number
  username: string
  path: string
}

/** What lies in the folders of websites on a server. An agent that answers for others, or not for all, is not believed. */
export async function lookAt(app: App, serverId: number, sites: Looked[]) {
  const { found } = Found.parse(await liveRead(app, serverId, 'website-applications.find', { sites }))
  const ids = new Set(found.map(({ id }) => id))
  if (ids.size !== sites.length || sites.some(({ id }) => !ids.has(id)))
    throw refused('The server answered for other websites')
  return found
}

export async function findApplication(app: App, id: number) {
  const { server, systemUser, documentRoot } = await readSite(app.db, (await readOrigin(app.db, id)).id)
  const [found] = await lookAt(app, server.id, [{ id, username: systemUser.username, path: documentRoot }])
  return { found: found?.application ?? null, at: new Date().toISOString() }
}

type Wanted = Input<typeof contract.setRules, 'out'>

/** Chooses the application and writes own rules. The web server of the website says first what it thinks of them. */
export async function setRules({ id, version, ...wanted }: Wanted, context: Context) {
  const { app } = context
  const wrong = wrongRules(wanted)
  if (Object.keys(wrong).length) throw invalid(wrong)
  const now = changeable(await readOrigin(context.db, id))
  checkVersion(now, version, now.domain)
  const asked = await changed(context.db, id, wanted)
  if (asked.texts) await refuseWhatServerRefuses(app, asked.after)
  return context.lastly(async (db) => {
    await db.select({ id: websites.id }).from(websites).where(eq(websites.id, id)).for('update')
    const vhost = changeable(await readOrigin(db, id))
    checkVersion(vhost, version, vhost.domain)
    const { before, after, changes, application, texts } = await changed(db, id, wanted)
    if (!changes) {
      context.status(200)
      return { data: vhost, workflowId: null }
    }
    const rulesNumber = texts ? await keepVersion({ ...context, db }, id, texts, wanted.note ?? '') : undefined
    const workflowId = await begin({ ...context, db }, [
      rulesChange(before, after, vhost, { application, ...(rulesNumber !== undefined && { rulesNumber }) }),
    ])
    context.audit.of('website', id)
    context.audit.workflow(workflowId)
    context.audit.before({ domain: vhost.domain, rules: before.rules ?? null })
    context.audit.after({ domain: vhost.domain, rules: after.rules ?? null })
    context.status(202)
    return { data: await readOrigin(db, id), workflowId }
  })
}

function changeable(vhost: OriginVhost): OriginVhost & { status: 'active' | 'suspended' } {
  const { domain, status } = vhost
  if (status !== 'active' && status !== 'suspended')
    throw refused(`${domain} is ${status}: its rules cannot be changed`)
  return { ...vhost, status }
}

/** The website before and after, and what of the request is new. */
async function changed(db: Db, id: number, wanted: Pick<Wanted, 'application' | 'nginx' | 'apache'>) {
  const before = await readSite(db, id)
  const { chosen, found, nginx, apache } = await readRules(db, id)
  const application = wanted.application === undefined ? chosen : wanted.application
  const texts = { nginx: wanted.nginx ?? nginx, apache: wanted.apache ?? apache }
  const { rules: _, ...bare } = before
  const after: Site = { ...bare, ...rulesIn({ application: application ?? found ?? USUAL, ...texts }) }
  const isOther = texts.nginx !== nginx || texts.apache !== apache
  return { before, after, application, texts: isOther ? texts : undefined, changes: isOther || application !== chosen }
}

/** 422 beside the text that the web server refuses. A server that is away cannot check, so nothing is written then. */
async function refuseWhatServerRefuses(app: App, site: Site): Promise<void> {
  if (!site.rules?.[site.server.webServer]) return
  const Answer = z.object({ problem: z.string().nullable() })
  const asked = await liveRead(app, site.server.id, 'site-rules.check', { ...served(site), state: 'active' })
  const { problem } = Answer.parse(asked)
  if (problem) throw refused(problem, { [site.server.webServer]: problem })
}

/** The change of a vhost that is only one of its rules. */
export const rulesChange = (
  before: Site,
  after: Site,
  { status }: { status: 'active' | 'suspended' },
  rules: Pick<Change['requested'], 'application' | 'rulesNumber' | 'found'>,
): Change => ({
  ...{ before, after, state: status, lastOfPool: false },
  requested: { phpVersion: before.phpVersion, phpParameters: before.php ?? {}, ...rules },
})

/** The number of a version with these texts: null without any, a former one with the same texts, or a new one. */
async function keepVersion(
  { db, staff }: Context,
  websiteId: number,
  texts: { nginx: string; apache: string },
  note: string,
): Promise<number | null> {
  if (!texts.nginx && !texts.apache) return null
  const [last] = await rows<{ number: number }>(
    db,
    sql`select coalesce(max(number), 0)::int as number from own_rules where website_id = ${websiteId}`,
  )
  const number = (last?.number ?? 0) + 1
  await db.insert(ownRules).values({ websiteId, number, ...texts, note, staffName: staff.name, createdBy: staff.id })
  await db.insert(originVhosts).values({ websiteId, createdBy: staff.id }).onConflictDoNothing()
  return number
}
