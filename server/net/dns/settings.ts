import type { DnsSettings } from '@innkeeper/contract/net/dns/calls'
import { sql } from 'drizzle-orm'
import { offlineBefore } from '../../kit/agents/online.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { dnsSettings } from './tables.ts'

/** Defaults until an administrator saves settings; obviously not real names. */
const usual: DnsSettings = {
  version: 1,
  primaryServerId: null,
  nameServers: ['ns1.innkeeper.example', 'ns2.innkeeper.example'],
  hostmaster: 'hostmaster.innkeeper.example',
}

export async function readSettings(db: Db): Promise<DnsSettings> {
  const [row] = await db.select().from(dnsSettings).limit(1)
  if (!row) return usual
  const { id: _, ...settings } = row
  return settings
}

/** A name server for the zones of Innkeeper. */
export interface ZoneServer {
  id: number
  name: string
  address: string
  primary: boolean
  /** True: its agent has not reported for 90 s. */
  away: boolean
}

/**
 * The name servers, the primary first: enrolled servers that have an address and whose type includes PowerDNS. When the
 * settings choose no primary, the first server is the primary.
 */
export async function readNameServers(db: Db): Promise<ZoneServer[]> {
  const { primaryServerId } = await readSettings(db)
  const found = await rows<Omit<ZoneServer, 'primary'>>(
    db,
    sql`select s.server_id as id, s.name, s.address, coalesce(st.last_seen_at < ${offlineBefore}, false) as away
      from servers s left join server_states st on st.server_id = s.server_id join server_types t on t.name = s.type
      where s.deleted_at is null and s.enrolled_at is not null and s.credential_revoked_at is null and s.address is not null
        and t.services @> array['powerdns'] and s.type in ('dns', 'all-in-one')
      order by (s.server_id = ${primaryServerId}::int) desc nulls last, s.server_id`,
  )
  return found.map((server, i) => ({ ...server, primary: i === 0 }))
}
