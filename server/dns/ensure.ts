import type { ZoneChange } from '@innkeeper/contract/dns'
import type { Typed } from '@innkeeper/contract/dns/records'
import { sql } from 'drizzle-orm'
import type { App } from '../kit/app.ts'
import type { Db } from '../kit/db.ts'
import { changed } from '../kit/live.ts'
import { applyChange } from './change.ts'
import { type By, entriesOf, publish } from './publish.ts'
import { zones } from './tables.ts'
import type { KeptZone } from './view.ts'

/** What a website wants its names to answer: `A` and `AAAA` of the server, with a TTL in seconds. */
export interface WantedName {
  /** Whole: `www.shop.example`. */
  name: string
  addresses: readonly { type: 'A' | 'AAAA'; content: string }[]
  ttl: number
}

/** The zone of ours that a name lies in: the longest one. Undefined: its records are kept elsewhere. */
export async function zoneOf(db: Db, name: string): Promise<KeptZone | undefined> {
  const labels = name.split('.')
  const suffixes = labels.map((_, i) => labels.slice(i).join('.'))
  const [found] = await db
    .select()
    .from(zones)
    .where(sql`${zones.deletedAt} is null and ${zones.domain} = any(${sql.param(suffixes)}::text[])`)
    .orderBy(sql`length(${zones.domain}) desc`)
    .limit(1)
  return found
}

/**
 * In the caller's transaction: each name answers exactly these addresses with this TTL, in whichever zone of ours it
 * lies, and the name servers are told. Names that are right already change nothing; addresses and CNAMEs that are in the
 * way go. For websites that are made, renamed or moved. Answers the workflows; 422 where the zone refuses.
 */
export async function ensureRecords(
  tx: Db,
  app: Pick<App, 'secrets'>,
  wanted: readonly WantedName[],
  by: By,
  kind: ZoneChange['kind'] = 'website',
): Promise<{ workflowIds: number[]; foreign: string[] }> {
  const foreign: string[] = []
  const byZone = new Map<number, { zone: KeptZone; names: WantedName[] }>()
  for (const one of wanted) {
    const zone = await zoneOf(tx, one.name)
    if (!zone) foreign.push(one.name)
    else byZone.set(zone.id, { zone, names: [...(byZone.get(zone.id)?.names ?? []), one] })
  }
  const workflowIds: number[] = []
  for (const { zone, names } of [...byZone.values()].sort((a, b) => a.zone.id - b.zone.id)) {
    const [held] = await tx.select().from(zones).where(sql`${zones.id} = ${zone.id}`).for('update')
    if (!held) continue
    const create: Typed[] = []
    const gone: number[] = []
    for (const { name, addresses, ttl } of names) {
      const below = name === held.domain ? '@' : name.slice(0, -held.domain.length - 1)
      const there = (await entriesOf(tx, held.id, [below])).filter(({ type }) =>
        ['A', 'AAAA', 'CNAME', 'ALIAS'].includes(type),
      )
      const isWanted = (one: { type: string; content: string; ttl: number }) =>
        one.ttl === ttl && addresses.some(({ type, content }) => one.type === type && one.content === content)
      gone.push(...there.filter((one) => !isWanted(one)).map(({ id }) => id))
      const missing = addresses.filter(
        ({ type, content }) => !there.some((one) => isWanted(one) && one.type === type && one.content === content),
      )
      create.push(...missing.map((one) => ({ name: below, ttl, ...one })))
    }
    const { zone: after, changeId } = await applyChange(tx, held, { create, delete: gone }, by.name, kind)
    if (changeId === null) continue
    const workflowId = await publish(tx, app, after, by)
    if (workflowId !== null) workflowIds.push(workflowId)
    await changed(tx, 'dns', held.id)
  }
  return { workflowIds, foreign }
}
