import { domain as domainSchema } from '@innkeeper/contract/kit/values'
import { parseZoneFile, writeZoneFile } from '@innkeeper/contract/net/dns/zoneFile'
import type { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import type { PlanLine } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { and, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { zones } from '../../../net/dns/tables.ts'
import type { Target } from './target.ts'
import { counted } from './words.ts'

export interface DrawnZone {
  domain: string
  zoneFile: string
  leaveOut: number
  active: boolean
  records: number
}

/** What becomes of the zones: the records of the former server point to the new one, the name servers are Innkeeper's. */
export async function drawZones(
  db: Db,
  inventory: Inventory,
  { server }: Target,
  left: ReadonlySet<string>,
): Promise<{ made: DrawnZone[]; lines: PlanLine[] }> {
  const made: DrawnZone[] = []
  const lines: PlanLine[] = []
  const names = inventory.zones.flatMap((one) => domainSchema.safeParse(one.domain).data ?? [])
  const taken = names.length
    ? await db
        .select({ domain: zones.domain })
        .from(zones)
        .where(and(inArray(zones.domain, names), isNull(zones.deletedAt)))
    : []
  for (const found of inventory.zones) {
    const key = `zone:${found.domain}`
    const { data: domain } = domainSchema.safeParse(found.domain)
    const { entries, skipped } = domain === undefined ? { entries: [], skipped: [] } : parseZoneFile(found.text, domain)
    const why =
      domain === undefined
        ? 'Its name is no domain name'
        : taken.some((one) => one.domain === domain)
          ? 'There is a zone of this name already'
          : made.some((one) => one.domain === domain)
            ? 'The archive has this name twice'
            : entries.length
              ? undefined
              : 'No record of it can be read'
    if (why || domain === undefined || left.has(key)) {
      lines.push({
        key,
        kind: 'zone',
        name: found.domain,
        verdict: 'left out',
        detail: counted(found.records, 'record'),
        notes: [why ?? 'You leave it out'],
        choice: !why,
      })
      continue
    }
    const isOurs = (type: string, name: string) => type === 'NS' && name === '@'
    const kept = entries.filter(({ type, name }) => !isOurs(type, name))
    const { address } = server
    const turns = address?.includes('.')
      ? kept.filter(({ type, content }) => type === 'A' && inventory.addresses.includes(content))
      : []
    const records = kept.map((entry) =>
      turns.includes(entry) ? { ...entry, content: address ?? entry.content } : entry,
    )
    const lost = skipped.filter(({ managed }) => !managed)
    const notes = [
      'Its name servers are those of Innkeeper: enter them at the registrar',
      ...(turns.length
        ? [`${counted(turns.length, 'record')} that pointed to ${inventory.addresses.join(', ')} point to ${address}`]
        : []),
      ...(found.dnssec
        ? ['It was signed: remove the DS record at the registrar first, and sign it here afterwards']
        : []),
      ...(found.suspended ? ['It stays inactive, as it was suspended'] : []),
      ...lost.slice(0, 20).map(({ text, why: reason }) => `Left out: ${text.slice(0, 120)} (${reason})`),
      ...(lost.length > 20 ? [`and ${lost.length - 20} more lines`] : []),
    ]
    made.push({
      domain,
      zoneFile: writeZoneFile(domain, null, records),
      leaveOut: 0,
      active: !found.suspended,
      records: records.length,
    })
    lines.push({
      key,
      kind: 'zone',
      name: domain,
      verdict: 'changed',
      detail: counted(records.length, 'record'),
      notes,
      choice: true,
    })
  }
  return { made, lines }
}
