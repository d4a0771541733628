import { fullName } from '@innkeeper/contract/dns/names'
import type { Sample } from '@innkeeper/contract/dns/validate'
import { typeNumbers } from '@innkeeper/contract/dns/wire'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'

/**
 * Record types whose data contains no domain name: a validator compares domain names in their canonical form, which the
 * stored records do not have. For an ALIAS a name server answers addresses.
 */
const { A, AAAA, CAA, TLSA, TXT } = typeNumbers
const numbers: Record<string, number> = { A, AAAA, ALIAS: A, CAA, TLSA, TXT }

/** A random record set of each type in a zone: correct signatures of the zone itself do not prove those of its names. */
export async function samplesOf(db: Db, domain: string): Promise<Sample[]> {
  const found = await rows<{ name: string; type: string }>(
    db,
    sql`select distinct on (r.type) r.name, r.type from records r join zones z using (zone_id)
      where z.domain = ${domain} and z.deleted_at is null and r.type = any(${sql.param(Object.keys(numbers))}::text[])
      order by r.type, random()`,
  )
  return found.map(({ name, type }) => ({ name: fullName(name, domain), type: numbers[type] ?? 0 }))
}
