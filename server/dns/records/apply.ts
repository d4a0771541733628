import type { ZoneChange } from '@innkeeper/contract/dns'
import { MAX_RECORDS, nextSerial } from '@innkeeper/contract/dns/records'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { inTurns } from '../../kit/db/inTurns.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { records, zoneChangeLines, zoneChanges, zones } from '../tables.ts'
import type { KeptZone } from '../view.ts'
import { type Delta, type Judged, judge, refuse } from './change.ts'
import { digestOf } from './digest.ts'

/**
 * The only function that changes records. Runs in the caller's transaction with the zone row locked, and writes
 * records, record count, digest, serial and change log. Returns the zone after the change.
 */
export async function applyChange(
  tx: Db,
  zone: KeptZone,
  delta: Delta,
  by: string,
  kind: ZoneChange['kind'],
): Promise<{ zone: KeptZone; judged: Judged; changeId: number | null }> {
  const judged = await judge(tx, zone, delta)
  const { entries, gone, missing, problems } = judged
  if (missing.length)
    throw conflict(`${missing.length === 1 ? 'A record was' : `${missing.length} records were`} deleted meanwhile`, {
      current: zone,
    })
  refuse(problems)
  const after = zone.records + entries.length - gone.length
  if (entries.length && after > MAX_RECORDS)
    throw refused(`${zone.domain} would have ${after} records. A zone has at most ${MAX_RECORDS}.`)
  if (!entries.length && !gone.length) return { zone, judged, changeId: null }
  if (gone.length)
    await tx.delete(records).where(
      inArray(
        records.id,
        gone.map(({ id }) => id),
      ),
    )
  for await (const some of inTurns(entries))
    await tx.insert(records).values(some.map((entry) => ({ zoneId: zone.id, ...entry })))
  const serial = risen(zone.serial)
  const [made] = await tx.insert(zoneChanges).values({ zoneId: zone.id, by, kind, serial }).returning()
  if (!made) throw new Error('a change was not saved')
  const lines = [
    ...gone.map(({ id: _, ...entry }) => ({
      sign: '-' as const,
      ...entry,
      until: sql`now() + make_interval(secs => ${entry.ttl})`,
    })),
    ...entries.map((entry) => ({ sign: '+' as const, ...entry, until: null })),
  ]
  for await (const some of inTurns(lines))
    await tx.insert(zoneChangeLines).values(some.map((line) => ({ changeId: made.id, zoneId: zone.id, ...line })))
  const [stored] = await tx
    .update(zones)
    .set({
      serial,
      digest: digestOf(zone.domain, [...gone, ...entries], zone.digest),
      records: sql`records + ${entries.length - gone.length}::int`,
      changedBy: by,
      version: sql`version + 1`,
      updatedAt: sql`now()`,
    })
    .where(eq(zones.id, zone.id))
    .returning()
  if (!stored) throw new Error(`the zone ${zone.domain} no longer exists`)
  return { zone: stored, judged, changeId: made.id }
}
/** The next serial: the first of today (`2026112101`) when that is later, else the current one plus one. */
export function risen(serial: number, now = new Date()): number {
  const today = Number(now.toISOString().slice(0, 10).replaceAll('-', '')) * 100 + 1
  const next = nextSerial(serial)
  return serial < today && today - serial < 2147483647 ? today : next
}
