import { Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import type { Work } from '../../../kit/work/action.ts'
import { workflows } from '../../../kit/work/tables.ts'
import { LATE } from '../../dns/actions.ts'
import { publish } from '../../dns/publications/publish.ts'
import { entriesOf } from '../../dns/publications/sets.ts'
import { applyChange } from '../../dns/records/apply.ts'
import { readNameServers } from '../../dns/settings.ts'
import { zonesOf } from '../../dns/sites/ensure.ts'
import { records, zones } from '../../dns/tables.ts'
import { certificateOrders } from '../tables.ts'

const WHO = { id: null, name: 'Innkeeper' }
/** No resolver keeps a proof: it would show the authority the former one while the next order runs. */
const TTL = 0
/** A name server that answers late does so within minutes, unless something is wrong. */
const WAIT_MS = 180_000
/** A publication that still runs is waited for; slow name servers take their time. */
const PUBLISHING_MS = 1_800_000

/**
 * A TXT record that proves control of a name to the authority. Apex and wildcard share one owner name, with two values.
 */
export interface Proof {
  /** `_acme-challenge.shop.example` */
  owner: string
  value: string
}
export const ownerOf = (name: string): string => `_acme-challenge.${name.replace(/^\*\./, '')}`

/**
 * Adds proofs to our zones and waits until every name server answers them. Saves the record ids in the order for
 * `unplant`.
 */
export async function plant({ app, say, signal }: Work, orderId: number, proofs: readonly Proof[]): Promise<void> {
  const found = await zonesOf(
    app.db,
    proofs.map(({ owner }) => owner),
  )
  const byZone = Map.groupBy(proofs, ({ owner }) => found.get(owner)?.id)
  const publications: number[] = []
  for (const [zoneId, these] of byZone) {
    if (zoneId === undefined) throw new Error(`The zone of ${these[0]?.owner} is no longer in Innkeeper`)
    await app.db.transaction(async (tx) => {
      const [zone] = await tx.select().from(zones).where(eq(zones.id, zoneId)).for('update')
      if (!zone) throw new Error('A zone was deleted meanwhile')
      const create = these.map(({ owner, value }) => ({
        name: owner === zone.domain ? '@' : owner.slice(0, -zone.domain.length - 1),
        type: 'TXT' as const,
        ttl: TTL,
        content: value,
      }))
      const names = [...new Set(create.map(({ name }) => name))]
      const before = new Set((await entriesOf(tx, zoneId, names)).map(({ id }) => id))
      const { zone: after } = await applyChange(tx, zone, { create, delete: [] }, WHO.name, 'website')
      const made = (await entriesOf(tx, zoneId, names)).filter(({ id }) => !before.has(id))
      const planted = JSON.stringify(made.map(({ id }) => ({ zoneId, recordId: id })))
      await tx
        .update(certificateOrders)
        .set({ planted: sql`planted || ${planted}::jsonb` })
        .where(eq(certificateOrders.id, orderId))
      const workflowId = await publish(tx, app, after, WHO)
      if (workflowId !== null) publications.push(workflowId)
      await changed(tx, 'dns', zoneId)
    })
  }
  await published(app.db, publications, signal)
  await answered(app.db, proofs, say, signal)
}

/** Waits for the publications: a name server asked too early would cache the missing name for a minute. */
async function published(db: Db, ids: readonly number[], signal: AbortSignal): Promise<void> {
  if (!ids.length) return
  for (
    const end = performance.now() + PUBLISHING_MS;
    performance.now() < end;
    await sleep(200, undefined, { signal })
  ) {
    const found = await db
      .select({ status: workflows.status })
      .from(workflows)
      .where(inArray(workflows.id, [...ids]))
    if (found.every(({ status }) => status !== 'running' && status !== 'waiting')) return
  }
}

/** Waits until each name server answers all proofs; every server is queried directly. */
async function answered(db: Db, proofs: readonly Proof[], say: Work['say'], signal: AbortSignal): Promise<void> {
  for (const { name, address } of await readNameServers(db)) {
    const resolver = new Resolver({ timeout: 1500, tries: LATE })
    resolver.setServers([address])
    signal.addEventListener('abort', () => resolver.cancel(), { once: true })
    let missing: Proof | undefined
    for (const end = performance.now() + WAIT_MS; performance.now() < end; await sleep(200, undefined, { signal })) {
      missing = undefined
      for (const proof of proofs) {
        const texts = await resolver.resolveTxt(proof.owner).catch(() => []) // the record is not published yet
        if (texts.some((parts) => parts.join('') === proof.value)) continue
        missing = proof
        break
      }
      if (!missing) break
    }
    if (missing) throw new Error(`${name} does not answer ${missing.owner} within ${WAIT_MS / 1000} s`)
    say(`${name} answers ${[...new Set(proofs.map(({ owner }) => owner))].join(', ')}`)
  }
}

/** Removes the proofs of an order, also those of an interrupted attempt. */
export async function unplant({ app }: Pick<Work, 'app'>, orderId: number): Promise<void> {
  const [order] = await app.db.select().from(certificateOrders).where(eq(certificateOrders.id, orderId))
  for (const zoneId of new Set(order?.planted.map((one) => one.zoneId)))
    await app.db.transaction(async (tx) => {
      const [zone] = await tx.select().from(zones).where(eq(zones.id, zoneId)).for('update')
      const ids = order?.planted.flatMap((one) => (one.zoneId === zoneId ? one.recordId : [])) ?? []
      const there = await tx.select({ id: records.id }).from(records).where(inArray(records.id, ids))
      if (zone && !zone.deletedAt && there.length) {
        const { zone: after } = await applyChange(
          tx,
          zone,
          { create: [], delete: there.map(({ id }) => id) },
          WHO.name,
          'website',
        )
        await publish(tx, app, after, WHO)
        await changed(tx, 'dns', zoneId)
      }
    })
  if (order?.planted.length)
    await app.db.update(certificateOrders).set({ planted: [] }).where(eq(certificateOrders.id, orderId))
}
