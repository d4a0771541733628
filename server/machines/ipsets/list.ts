import type { ipsets as contract } from '@innkeeper/contract/machines/ipsets/calls'
import { around, keyOf, readNetwork } from '@innkeeper/contract/machines/ipsets/networks'
import type { Ban } from '@innkeeper/contract/machines/ipsets/shapes'
import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import type { App } from '../../kit/app/app.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { Refusal } from '../../kit/http/errors.ts'
import type { KeptSet } from './publications/publish.ts'
import { bans } from './tables.ts'
import { findSet, readBans } from './view.ts'

const sorts = {
  at: { column: bans.at, type: 'instant', direction: 'DESC' },
  ip: { column: bans.first, type: 'text', direction: 'ASC' },
  expiresAt: { column: sql`coalesce(${bans.expiresAt}, 'infinity')`, type: 'instant', direction: 'ASC' },
} as const

/** Lists the bans of a set by page. With `cache=false` asks the servers which bans of the page they enforce. */
export const listBans: Handlers<typeof contract>['ips'] = async ({ id: key, ...input }, { db, app }) => {
  const set = await findSet(db, key)
  const where: SQL[] = [
    sql`${bans.setId} = ${set.id}`,
    input.state === 'ended' ? sql`${bans.endedAt} is not null` : sql`${bans.endedAt} is null`,
  ]
  if (input.search) where.push(found(input.search))
  const order = sorts[input.sort ?? 'at']
  const { ids, ...page } = await pageKeys(db, input, { from: sql`${bans}`, where, key: bans.id, order })
  const items = await readBans(db, ids)
  if (input.cache !== 'false' || input.state === 'ended') return { items, ...page }
  const asked = await askServers(app, db, set, items)
  return { ...fresh(items, asked), ...page, asked: asked.map(({ has: _, ...one }) => one) }
}

/** An address finds the bans that contain it and those in it; other text finds parts of addresses and reasons. */
function found(search: string): SQL {
  const network = readNetwork(search)
  if (!network) return contains(sql`${bans.ip} || ' ' || coalesce(${bans.reason}, '')`, search)
  const { family, first, last } = network
  const wider = around(network).map(({ text }) => text)
  return sql`(${bans.ip} = any(${sql.param(wider)}::text[])
    or ${bans.first} between ${keyOf(family, first)} and ${keyOf(family, last)})`
}

interface Asked {
  serverId: number
  name: string
  answered: boolean
  problem: string | null
  has: Set<string>
}
const Look = z.object({ dropped: z.array(z.string()) })

function askServers(app: App, db: Db, set: KeptSet, items: Ban[]): Promise<Asked[]> {
  const networks = items.map(({ ip }) => ip)
  return rows<{ serverId: number; name: string }>(
    db,
    sql`select t.server_id as "serverId", v.name from ip_set_servers t join servers v on v.server_id = t.server_id
      where t.set_id = ${set.id} order by v.name`,
  ).then((servers) =>
    Promise.all(
      servers.map(async ({ serverId, name }) => {
        const answer = await liveRead(app, serverId, 'ip-set.look', { set: set.name, networks }).then(
          (output) => Look.parse(output),
          (error: unknown) => {
            if (error instanceof Refusal) return error // server unreachable or operation failed: shown beside its name
            throw error
          },
        )
        const answered = !(answer instanceof Refusal)
        return {
          ...{ serverId, name, answered },
          problem: answered ? null : answer.message,
          has: new Set(answered ? answer.dropped : []),
        }
      }),
    ),
  )
}

/**
 * Fills in which servers enforce a ban: from their answers, or from what was published to a server that did not answer.
 */
function fresh(items: Ban[], asked: Asked[]): { items: Ban[] } {
  return {
    items: items.map((ban) => {
      const has = ({ name, answered, has }: Asked) => (answered ? has.has(ban.ip) : ban.appliedOn.includes(name))
      const named = (yes: boolean) => asked.filter((one) => has(one) === yes).map(({ name }) => name)
      return { ...ban, appliedOn: named(true), missingOn: named(false) }
    }),
  }
}
