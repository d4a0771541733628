import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { readSettings } from './settings.ts'

/** The addresses of the name servers of new zones, if Innkeeper's own zones have records for them. */
export async function nameServersOf(db: Db): Promise<[address: string, why: string][]> {
  const { nameServers } = await readSettings(db)
  const places = nameServers.flatMap((name) => {
    const labels = name.split('.')
    return labels.map((_, i) => ({ name, zone: labels.slice(i).join('.'), below: labels.slice(0, i).join('.') || '@' }))
  })
  const found = await rows<{ address: string; name: string }>(
    db,
    sql`select r.content as address, p.name from json_to_recordset(${JSON.stringify(places)}::json) as p(name text, zone text, below text)
      join zones z on z.domain = p.zone and z.deleted_at is null
      join records r on r.zone_id = z.zone_id and r.name = p.below and r.type in ('A', 'AAAA')`,
  )
  return found.map(({ address, name }) => [address, `the name server ${name}`])
}
