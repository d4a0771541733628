import type { ZoneChange } from '@innkeeper/contract/net/dns/calls'
import { MAX_RECORDS, nextSerial } from '@innkeeper/contract/net/dns/records'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { insertMany } from '../../../kit/db/insertMany.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
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
      fields: { delete: `No record ${missing.join(', ')}` },
      current: zone,
    })
  refuse(problems)
  const after = zone.records + entries.length - gone.length
  if (entries.length && after > MAX_RECORDS)
    throw refused(`${zone.domain} would have ${after} records. A zone has at most ${MAX_RECORDS}.`)
  if (!entries.length && !gone.length) return { zone, judged, changeId: null }
  if (gone.length)
    await tx.delete(records).where(sql`${records.id} = any(${sql.param(gone.map(({ id }) => id))}::int[])`)
  await insertMany(
    tx,
    records,
    entries.map((entry) => ({ zoneId: zone.id, ...entry })),
  )
  const serial = nextVersion(zone.serial)
  const [made] = await tx.insert(zoneChanges).values({ zoneId: zone.id, by, kind, serial }).returning()
  if (!made) throw new Error('a change was not saved')
  const of = { changeId: made.id, zoneId: zone.id }
  await insertMany(tx, zoneChangeLines, [
    ...gone.map(({ id: _, ...entry }) => ({ ...of, sign: '-' as const, ...entry, until: later(made.at, entry.ttl) })),
    ...entries.map((entry) => ({ ...of, sign: '+' as const, ...entry, until: null })),
  ])
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
/** The instant `seconds` after `at`. */
const later = (at: string, seconds: number): string => new Date(Date.parse(at) + seconds * 1000).toISOString()

/** The next serial: the first of today (`2026112101`) when that is later, else the current one plus one. */
export function nextVersion(serial: number, now = new Date()): number {
  const today = Number(now.toISOString().slice(0, 10).replaceAll('-', '')) * 100 + 1
  const next = nextSerial(serial)
  return serial < today && today - serial < 2147483647 ? today : next
}
