import { type vhosts as contract, DEFAULTS } from '@innkeeper/contract/net/vhosts/calls'
import { eq, sql } from 'drizzle-orm'
import { readWebsite } from '../../../hosting/websites/view.ts'
import type { App } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, invalid, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import type { PlanStep } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { distrusting } from '../../ssl/certificates/edgeTrust.ts'
import { servedWith } from '../../ssl/certificates/served.ts'
import type { Behind, Edge } from './behind.ts'
import { chooseEdge, chooseWebsite } from './choose.ts'
import { diffOfEdges } from './diff.ts'
import { batchOfVhosts, countVhosts, listVhosts } from './list.ts'
import { resync } from './resync.ts'
import { changedRules } from './rules.ts'
import { arriving, asked, behindOf, cleared, ensured, leaving, onNetwork, secured } from './steps.ts'
import { type EdgeRequest, vhostEdges, vhosts } from './tables.ts'
import { readTraffic } from './traffic.ts'
import { readVhost } from './view.ts'

export const vhostsHandlers: Handlers<typeof contract> = {
  list: (input, { db }) => listVhosts(db, input),
  one: ({ id }, { db }) => readVhost(db, id),
  search: ({ search, domain, page = 1, itemsPerPage = 25 }, { db }) =>
    listVhosts(db, { search: search ?? domain, page, itemsPerPage }),
  batch: (input, { db }) => batchOfVhosts(db, input),
  count: async ({ search }, { db }) => ({ count: await countVhosts(db, search) }),
  traffic: ({ id, hours = 24 }, { db }) => readTraffic(db, id, hours),
  resync,
  diff: diffOfEdges,

  async create({ websiteId, domain, serverId, xdn = false, ...requested }, context) {
    const { cdn = DEFAULTS.cdn, minutes = DEFAULTS.minutes, stale = DEFAULTS.stale, rules = {} } = requested
    const { db, staff } = context
    const website = await chooseWebsite(db, { websiteId, domain })
    const first = await chooseEdge(db, 'cdn', { serverId, not: [website.serverId] })
    const not = [website.serverId, first.serverId]
    const edges = [first, ...(xdn ? [await chooseEdge(db, 'xdn', { not })] : [])]
    const [made] = await db
      .insert(vhosts)
      .values({ websiteId: website.id, status: 'creating', cdn, minutes, stale, rules, createdBy: staff.id })
      .returning({ id: vhosts.id })
    await addEdges(db, made!.id, edges)
    const begun = await begin(context, made!.id, 'vhost.create', arriving)
    context.status(201)
    return begun
  },

  async remove({ id, version }, context) {
    const { db } = context
    await hold(context, id, version)
    await db.update(vhosts).set({ status: 'deleting' }).where(eq(vhosts.id, id))
    await db.update(vhostEdges).set({ state: 'going' }).where(eq(vhostEdges.vhostId, id))
    return begin(context, id, 'vhost.remove', leaving)
  },

  async clear({ id, urls, prefixes }, context) {
    const vhost = await hold(context, id)
    const behind = await behindOf(context.db, vhost.websiteId)
    const strange = [...(urls ?? []), ...(prefixes ?? [])].find((url) => !isOf(behind, url))
    if (strange)
      throw invalid({
        [urls?.includes(strange) ? 'urls' : 'prefixes']: `${strange} is not an address of ${vhost.domain}`,
      })
    return begin(context, id, 'vhost.clear', (of) => cleared(of, { urls, prefixes }), { website: false })
  },

  async enableXdn({ id, serverId, version }, context) {
    const vhost = await hold(context, id, version)
    if (vhost.xdn) throw conflict(`${vhost.domain} is already on the XDN`, { current: vhost })
    const website = await readWebsite(context.db, vhost.websiteId)
    const not = [website.serverId, ...vhost.edges.map((one) => one.serverId)]
    const edge = await chooseEdge(context.db, 'xdn', { serverId, not })
    await addEdges(context.db, id, [edge])
    return begin(context, id, 'vhost.xdn', (behind) => arriving(behind, onNetwork(behind, 'xdn')))
  },

  async disableXdn({ id, version }, context) {
    const vhost = await hold(context, id, version)
    if (!vhost.xdn) throw refused(`${vhost.domain} is not on the XDN`)
    await context.db
      .update(vhostEdges)
      .set({ state: 'going' })
      .where(sql`${vhostEdges.vhostId} = ${id} and ${vhostEdges.network} = 'xdn'`)
    return begin(context, id, 'vhost.xdn', (behind) => leaving(behind, onNetwork(behind, 'xdn')))
  },

  async enableCdn({ id, minutes, stale, rules, version }, context) {
    const now = await hold(context, id, version)
    const stored = (await behindOf(context.db, now.websiteId)).rules
    const requested = {
      ...{ cdn: true, minutes: minutes ?? now.minutes, stale: stale ?? now.stale },
      rules: { ...stored, ...rules },
    }
    return reshape(context, id, requested, (behind) => [
      ...ensured(behind),
      ...secured(behind),
      ...behind.edges.map((edge) => asked(behind, edge)),
    ])
  },

  async rules({ id, rules, version }, context) {
    const { app } = context
    if (rules.fetch === 'https') await refuseDistrusted(app, (await readVhost(context.db, id)).websiteId)
    return context.lastly(async (db) => {
      const { cdn, minutes, stale, websiteId } = await hold({ db }, id, version)
      const now = await behindOf(db, websiteId)
      const requested = { cdn, minutes, stale, rules: await changedRules(app, db, now, rules) }
      return reshape({ ...context, db }, id, requested, (behind) => [
        ...ensured(behind),
        ...secured(behind),
        // cached pages may have moved, may be fetched in another way, or may no longer exist
        ...cleared(behind),
        ...behind.edges.map((edge) => asked(behind, edge)),
      ])
    })
  },

  async disableCdn({ id, version }, context) {
    const now = await hold(context, id, version)
    if (!now.cdn) throw refused(`Caching of ${now.domain} is already off`)
    const { rules } = await behindOf(context.db, now.websiteId)
    const requested = { cdn: false, minutes: now.minutes, stale: now.stale, rules }
    return reshape(context, id, requested, (behind) => [
      ...ensured(behind),
      ...secured(behind),
      ...cleared(behind),
      ...behind.edges.map((edge) => asked(behind, edge)),
    ])
  },
}

/** 422 if an edge would not trust the certificate of a website: visitors would get 502 once the edge fetches over TLS. */
async function refuseDistrusted(app: App, websiteId: number): Promise<void> {
  const served = await servedWith(app.db, websiteId)
  if (!served || served.certificate.kind === 'self-signed') return // refused beside the other rules
  const found = await distrusting(app, websiteId, served.certificate.chain)
  if (!found) return
  const why = `${found.edge} would not trust the certificate of the website: ${found.why}`
  throw refused(why, { 'rules.fetch': why })
}

const addEdges = (db: Db, vhostId: number, edges: readonly Edge[]) =>
  db
    .insert(vhostEdges)
    .values(edges.map(({ network, serverId }) => ({ vhostId, network, serverId, state: 'coming' as const })))

/**
 * Locks the row until the transaction ends. 409 for a stale version, and while the website is being put behind its
 * edges or removed from them.
 */
async function hold({ db }: Pick<Context, 'db'>, id: number, version?: number) {
  await db.select({ id: vhosts.id }).from(vhosts).where(eq(vhosts.id, id)).for('update')
  const vhost = await readVhost(db, id)
  if (version !== undefined && version !== vhost.version)
    throw conflict(`The edges of ${vhost.domain} were changed by somebody else meanwhile`, { current: vhost })
  if (vhost.status !== 'active')
    throw conflict(`${vhost.domain} is ${vhost.status === 'creating' ? 'coming behind' : 'leaving'} its edges`, {
      current: vhost,
    })
  return vhost
}

/** True if a URL belongs to the website: its host is one of the website's names, or below a wildcard. */
function isOf({ site }: Behind, url: string): boolean {
  const { hostname } = new URL(url)
  return [site.domain, ...site.aliases, ...site.redirects].some(
    (name) => name === hostname || (name.startsWith('*.') && hostname.endsWith(name.slice(1))),
  )
}

/** Saves new settings as pending; the end of the workflow makes them current. */
async function reshape(context: Context, id: number, requested: EdgeRequest, steps: (behind: Behind) => PlanStep[]) {
  await context.db.update(vhosts).set({ pending: requested }).where(eq(vhosts.id, id))
  return begin(context, id, 'vhost.cdn', (behind) =>
    steps({ ...behind, ...requested, cdn: requested.cdn && !behind.suspended }),
  )
}

/** Starts a workflow in the caller's transaction. `website`: the workflow takes the lock of the website too. */
async function begin(
  { db, staff, audit }: Context,
  id: number,
  kind: string,
  steps: (behind: Behind) => PlanStep[],
  { website = true } = {},
) {
  const { websiteId, domain } = await readVhost(db, id)
  const workflowId = await start(db, {
    kind,
    subject: { type: 'vhost', id, name: domain },
    holder: staff.name,
    startedById: staff.id,
    plan: steps(await behindOf(db, websiteId)),
    locks: [`vhost:${id}`, ...(website ? [`website:${websiteId}`] : [])],
  })
  await db
    .update(vhosts)
    .set({ workflowId, ...nextVersion })
    .where(eq(vhosts.id, id))
  await changed(db, 'vhosts', id)
  audit.of('vhost', id)
  audit.workflow(workflowId)
  return { data: await readVhost(db, id), workflowId }
}
