import type { dns as contract, DnsRecord } from '@innkeeper/contract/net/dns/calls'
import { parseZoneFile, writeZoneFile } from '@innkeeper/contract/net/dns/zoneFile'
import { eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import { byIds } from '../../../kit/db/byIds.ts'
import { inOrder, nameLike, pageKeys } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { changed } from '../../../kit/live/live.ts'
import { publish } from '../publications/publish.ts'
import { entriesOf } from '../publications/sets.ts'
import { records } from '../tables.ts'
import { holdZone, readZone } from '../view.ts'
import { soaOf } from '../zones/handlers.ts'
import { checkVersion } from '../zones/zones.ts'
import { applyChange } from './apply.ts'
import { judge } from './change.ts'

const sorts = {
  name: { column: records.name, type: 'text', direction: 'ASC' },
  type: { column: records.type, type: 'text', direction: 'ASC' },
  ttl: { column: records.ttl, type: 'int', direction: 'ASC' },
} as const

const { zoneId: _, ...shown } = getTableColumns(records)
const select = byIds((db, isWanted) => db.select(shown).from(records).where(isWanted(records.id)))

/** Records of a zone: paged reads, changes by one delta, import and export of zone files. */
export const recordsHandlers: Pick<
  Handlers<typeof contract>,
  'records' | 'updateRecords' | 'check' | 'readFile' | 'exported'
> = {
  async records({ zoneId, ...input }, { db, staff }) {
    await readZone(db, zoneId, staff)
    const where: SQL[] = [eq(records.zoneId, zoneId)]
    if (input.type) where.push(inArray(records.type, input.type))
    if (input.search) where.push(nameLike(sql`(${records.name} || ' ' || lower(${records.content}))`, input.search))
    const order = sorts[input.sort ?? 'name']
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${records}`, where, key: records.id, order })
    return { items: inOrder(ids, await select(db, ids)), ...page }
  },

  async updateRecords({ zoneId, version, kind = 'edit', ...delta }, { db, staff, app, audit, status }) {
    const held = await holdZone(db, zoneId, staff)
    audit.of('zone', zoneId)
    checkVersion(held, version)
    const wanted = { create: delta.create ?? [], delete: delta.delete ?? [] }
    const { zone, judged, changeId } = await applyChange(db, held, wanted, staff.name, kind)
    audit.before({ domain: zone.domain, records: judged.gone.map(({ id: _, ...entry }) => entry) })
    audit.after({ domain: zone.domain, records: judged.entries })
    const workflowId = changeId === null ? null : await publish(db, app, zone, staff)
    if (workflowId !== null) audit.workflow(workflowId)
    if (changeId !== null) await changed(db, 'dns', zoneId)
    status(judged.entries.length ? 202 : 204)
    if (!judged.entries.length) return undefined
    const warnings = judged.warnings.map(({ message }) => message)
    return { zone: await readZone(db, zoneId, staff), workflowId, warnings }
  },

  async check({ zoneId, ...delta }, { db, staff }) {
    const zone = await readZone(db, zoneId, staff)
    const judged = await judge(db, zone, { create: delta.create ?? [], delete: delta.delete ?? [] })
    return { problems: judged.problems, warnings: judged.warnings, missing: judged.missing }
  },

  async readFile({ id, text, replace = false }, { db, staff }) {
    const zone = await readZone(db, id, staff)
    const { entries, skipped } = parseZoneFile(text, zone.domain)
    const standing = await entriesOf(db, id)
    const keyOf = (r: Omit<DnsRecord, 'id'>) => [r.name, r.type, r.priority, r.content].join(' ')
    const setOf = (r: Omit<DnsRecord, 'id'>) => `${r.name} ${r.type}`
    const brought = new Map(entries.map((entry) => [keyOf(entry), entry]))
    const ttls = new Map(entries.map((entry) => [setOf(entry), entry.ttl]))
    // a record set has one TTL: remaining records of the set get the TTL of the file
    const goes = standing.filter((one) => {
      const same = brought.get(keyOf(one))
      const ttl = ttls.get(setOf(one))
      return same ? same.ttl !== one.ttl : replace || (ttl !== undefined && ttl !== one.ttl)
    })
    const again = replace
      ? []
      : goes
          .filter((one) => !brought.has(keyOf(one)))
          .map(({ id: _, ...one }) => ({ ...one, ttl: ttls.get(setOf(one)) ?? one.ttl }))
    const stands = new Set(standing.filter((one) => !goes.includes(one)).map(keyOf))
    return { create: [...entries.filter((entry) => !stands.has(keyOf(entry))), ...again], delete: goes, skipped }
  },

  async exported({ id }, { db, staff }) {
    const zone = await readZone(db, id, staff)
    const text = writeZoneFile(zone.domain, await soaOf(db, zone), await entriesOf(db, id))
    return { name: `${zone.domain}.zone`, text }
  },
}
