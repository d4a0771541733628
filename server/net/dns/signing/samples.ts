import { fullName } from '@innkeeper/contract/net/dns/names'
import type { Sample } from '@innkeeper/contract/net/dns/validate'
import { typeNumbers } from '@innkeeper/contract/net/dns/wire'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'

/**
 * Record types whose data contains no domain name: a validator compares domain names in their canonical form, which the
 * stored records do not have. For an ALIAS a name server answers addresses.
 */
const { A, AAAA, CAA, TLSA, TXT } = typeNumbers
const numbers: Record<string, number> = { A, AAAA, ALIAS: A, CAA, TLSA, TXT }

/**
 * A random record set of each type in a zone: correct signatures of the zone itself do not prove those of its names. Picks a
 * random id between the lowest and the highest of the type and takes the next record, so that no zone is read whole.
 */
export async function samplesOf(db: Db, domain: string): Promise<Sample[]> {
  const found = await rows<{ name: string; type: string }>(
    db,
    sql`select one.name, ends.type from (
        select z.zone_id, t.type, (select min(record_id) from records where zone_id = z.zone_id and type = t.type) as first,
          (select max(record_id) from records where zone_id = z.zone_id and type = t.type) as last, random() as part
        from zones z, unnest(${sql.param(Object.keys(numbers))}::text[]) t(type)
        where z.domain = ${domain} and z.deleted_at is null) ends
      cross join lateral (select name from records r where r.zone_id = ends.zone_id and r.type = ends.type
        and r.record_id >= ends.first + floor(ends.part * (ends.last - ends.first + 1))::int
        order by r.record_id limit 1) one`,
  )
  return found.map(({ name, type }) => ({ name: fullName(name, domain), type: numbers[type] ?? 0 }))
}
