import { type vhosts as contract, DEFAULTS } from '@innkeeper/contract/net/vhosts/calls'
import { sql } from 'drizzle-orm'
import { readSite } from '../../../hosting/websites/site.ts'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { servedWith } from '../../ssl/certificates/served.ts'
import type { Behind } from './behind.ts'
import { chooseEdge, chooseWebsite } from './choose.ts'
import { compare, shown } from './compare.ts'
import { previewedRules } from './rules.ts'
import { behindOf, originOf } from './steps.ts'
import { readVhost } from './view.ts'

/** The changes of files on each edge that new settings would cause, read live; also for a website without an edge. */
export const diffOfEdges: Handlers<typeof contract>['diff'] = async (
  { id, xdn = false, ...requested },
  { app, db },
) => {
  const now = await (id === undefined ? notYet(app, requested) : asItIs(app, id))
  const behind = {
    ...now,
    cdn: (requested.cdn ?? now.cdn) && !now.suspended,
    minutes: requested.minutes ?? now.minutes,
    stale: requested.stale ?? now.stale,
    rules: previewedRules(now, requested.rules ?? {}),
  }
  const not = [behind.site.server.id, ...behind.edges.map(({ serverId }) => serverId)]
  const comes = xdn && !behind.edges.some(({ network }) => network === 'xdn')
  const edges = [...behind.edges, ...(comes ? [await chooseEdge(db, 'xdn', { not })] : [])]
  return shown(await Promise.all(edges.map((edge) => compare(app, { edge, behinds: [behind] }))))
}

const asItIs = async ({ db }: App, id: number): Promise<Behind> => behindOf(db, (await readVhost(db, id)).websiteId)

interface Requested {
  websiteId?: number | undefined
  domain?: string | undefined
  serverId?: number | undefined
}

/** A preview of a new vhost, which has no id yet, so that the diff shows the next id. */
async function notYet({ db }: App, requested: Requested): Promise<Behind> {
  const website = await chooseWebsite(db, requested)
  const edge = await chooseEdge(db, 'cdn', { serverId: requested.serverId, not: [website.serverId] })
  const [next] = await rows<{ id: number }>(db, sql`select coalesce(max(vhost_id), 0)::int + 1 as id from vhosts`)
  return {
    ...{ id: next?.id ?? 1, edges: [edge], suspended: false, ...DEFAULTS },
    site: await readSite(db, website.id),
    origin: await originOf(db, website.serverId),
    served: await servedWith(db, website.id),
  }
}
