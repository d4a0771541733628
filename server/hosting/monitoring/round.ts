import {
  CHECKS,
  type CheckAnswer,
  CheckAnswer as Checked,
  type CheckedSite,
} from '@innkeeper/contract/agent/monitoring'
import { CHECK_S } from '@innkeeper/contract/hosting/monitoring'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import { ONLINE_S } from '../../kit/agents/online.ts'
import type { App } from '../../kit/app/app.ts'
import { chunks } from '../../kit/db/chunks.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { Refusal } from '../../kit/http/errors.ts'
import { eachOf } from '../../kit/work/round.ts'
import { type Distrust, edgesAsJson, type Through, throughEdges } from './edges.ts'
import { notifyOfOutages } from './notify.ts'
import { park } from './park.ts'
import { record } from './record.ts'
import { request } from './request.ts'

/** Maximum number of websites in a round, and of batches at the same time. */
const MOST = 2000
const AT_ONCE = 8
/** Maximum number of concurrent requests by Innkeeper itself. */
const OWN_AT_ONCE = 50

export interface Due extends CheckedSite {
  serverId: number
  failures: number
  edges?: readonly Through[]
}
/** `by`: the server that sends the requests; null: Innkeeper itself. */
interface Batch {
  by: number | null
  sites: Due[]
}

/** Requests all websites that are due, records the results, and notifies. Several workers share the websites. */
export async function watchRound(
  app: App,
  ask: typeof askBatch = askBatch,
  distrust: Distrust = (edge) => askTrust(app, edge),
): Promise<number> {
  await park(app.db)
  const due = await take(app.db)
  const batches = batchesOf(due, await askers(app.db))
  const work = async (batch: Batch) => {
    const { by, answers } = await ask(app, batch)
    const seen = await throughEdges(by, batch.sites, answers, (again) => ask(app, again), distrust)
    await app.db.transaction((tx) => record(tx, seen, by))
  }
  await eachOf(app, 'websites could not be requested', batches, work, { atOnce: AT_ONCE })
  await notifyOfOutages(app.db)
  return due.length
}

/**
 * Claims websites that are due and sets their next time immediately, so that a crashed worker delays them by only one
 * interval.
 */
const take = (db: Db): Promise<Due[]> =>
  rows(
    db,
    sql`with due as (select website_id from monitors where next_at <= now() order by next_at limit ${MOST} for update skip locked)
      update monitors m set next_at = now() + make_interval(secs => ${CHECK_S} * (0.95 + random() * 0.1))
      from due join websites w on w.website_id = due.website_id join servers s on s.server_id = w.server_id
      where m.website_id = due.website_id and s.address is not null
      returning m.website_id as id, w.domain, s.address, w.ssl as https, m.path, m.word, m.failures, w.server_id as "serverId",
        ${edgesAsJson} as edges`,
  )

const askers = async (db: Db): Promise<number[]> =>
  (
    await rows<{ id: number }>(
      db,
      sql`select s.server_id as id from servers s join server_states t on t.server_id = s.server_id
        where s.deleted_at is null and s.status = 'up' and s.credential_revoked_at is null
          and t.last_seen_at > now() - make_interval(secs => ${ONLINE_S}) and 'websites.check' = any(t.operations)
        order by s.server_id`,
    )
  ).map(({ id }) => id)

/**
 * Assigns each website to an agent on another server, and after a failure to a different agent, whose network may be
 * better. Without such an agent, Innkeeper sends the request itself.
 */
export function batchesOf(due: readonly Due[], agents: readonly number[]): Batch[] {
  const bySource = Map.groupBy(due, ({ id, serverId, failures }) => {
    const others = agents.filter((agent) => agent !== serverId)
    return others[(id + failures) % others.length] ?? null
  })
  return [...bySource].flatMap(([by, sites]) => chunks(sites, CHECKS).map((some) => ({ by, sites: some })))
}

const Answer = z.object({ results: z.array(Checked) })

/** If an agent does not answer for each of the websites and for no other, Innkeeper requests them itself. */
async function askBatch(app: App, { by, sites }: Batch): Promise<{ by: number | null; answers: CheckAnswer[] }> {
  const said = by === null ? undefined : await askAgent(app, by, sites)
  if (said) return { by, answers: said }
  const waiting = [...sites]
  const answers: CheckAnswer[] = []
  const work = async () => {
    for (let site = waiting.shift(); site; site = waiting.shift()) answers.push(await request(site))
  }
  await Promise.all(Array.from({ length: OWN_AT_ONCE }, work))
  return { by: null, answers }
}

async function askAgent(app: App, by: number, sites: readonly Due[]): Promise<CheckAnswer[] | undefined> {
  const plain = sites.map(({ serverId: _, failures: __, edges: ___, ...site }) => site)
  try {
    const said = Answer.safeParse(await liveRead(app, by, 'websites.check', { sites: plain })).data
    const ids = new Set(said?.results.map(({ id }) => id))
    // a taken server must not report about other websites, nor keep silent about some
    return ids.size === sites.length && sites.every(({ id }) => ids.has(id)) ? said?.results : undefined
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

const Trust = z.object({ wrong: z.string().nullable() })
/** An edge that cannot be asked, or whose agent is older, gives no reason. */
async function askTrust(app: App, { serverId, vhostId }: Through): Promise<string | null> {
  try {
    return Trust.parse(await liveRead(app, serverId, 'edge-site.trust', { vhostId })).wrong
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
