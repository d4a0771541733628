import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { fullName } from '@innkeeper/contract/net/dns/names'
import { type Entry, wireContent } from '@innkeeper/contract/net/dns/records'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { records } from '../tables.ts'
import type { KeptZone } from '../view.ts'

export type Sets = OperationInput<'dns-zone.ensure'>['sets']
/** Above this number of record sets a publication sends the whole zone. */
const MANY = 2000

/**
 * The newest change and the record sets changed since `liveChange`; `sets` is undefined when the whole zone must be
 * sent.
 */
export async function setsOf(
  tx: Db,
  zone: KeptZone,
  whole: boolean,
): Promise<{ change: number; sets: Sets | undefined }> {
  const [last] = await rows<{ change: number }>(
    tx,
    sql`select coalesce(max(zone_change_id), 0)::int as change from zone_changes where zone_id = ${zone.id}`,
  )
  const change = last?.change ?? 0
  if (whole || zone.liveChange === null) return { change, sets: undefined }
  const touched = await rows<Pick<Entry, 'name' | 'type' | 'ttl'>>(
    tx,
    sql`select name, type, max(ttl) as ttl from zone_change_lines
      where zone_id = ${zone.id} and change_id > ${zone.liveChange} group by name, type limit ${MANY + 1}`,
  )
  if (touched.length > MANY) return { change, sets: undefined }
  const names = [...new Set(touched.map(({ name }) => name))]
  const found = names.length ? await entriesOf(tx, zone.id, names) : []
  const sets = touched.map(({ name, type, ttl }) => {
    const all = found.filter((entry) => entry.name === name && entry.type === type)
    return {
      owner: fullName(name, zone.domain),
      recordType: type,
      ttl: all[0]?.ttl ?? ttl,
      contents: all.map(wireContent),
    }
  })
  return { change, sets }
}
export async function allSets(tx: Db, zone: KeptZone): Promise<Sets> {
  const bySet = Map.groupBy(await entriesOf(tx, zone.id), ({ name, type }) => `${name} ${type}`)
  return [...bySet.values()].flatMap((all) => {
    const [first] = all
    if (!first) return []
    const { name, type, ttl } = first
    return { owner: fullName(name, zone.domain), recordType: type, ttl, contents: all.map(wireContent) }
  })
}
/** The records of a zone, or of some of its names, ordered by name, type, priority and content. */
export function entriesOf(tx: Db, zoneId: number, names?: string[]): Promise<(Entry & { id: number })[]> {
  const { id, name, type, ttl, priority, content } = records
  const of = eq(records.zoneId, zoneId)
  return tx
    .select({ id, name, type, ttl, priority, content })
    .from(records)
    .where(names ? sql`${of} and ${name} = any(${sql.param(names)}::text[])` : of)
    .orderBy(name, type, priority, content)
}
