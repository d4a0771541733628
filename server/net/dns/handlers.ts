import type { dns as contract } from '@innkeeper/contract/net/dns/calls'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { departmentsHandlers } from './departments.ts'
import { startTurn, syncHandlers } from './publications/sync.ts'
import { recordsHandlers } from './records/records.ts'
import { readNameServers, readSettings } from './settings.ts'
import { keyHandlers } from './signing/rolling.ts'
import { dnsSettings } from './tables.ts'
import { templatesHandlers } from './templates.ts'
import { transferHandlers } from './transfers/handlers.ts'
import { oneHandlers } from './zones/handlers.ts'
import { zonesHandlers } from './zones/zones.ts'

export const dnsHandlers: Handlers<typeof contract> = {
  ...zonesHandlers,
  ...oneHandlers,
  ...keyHandlers,
  ...recordsHandlers,
  ...departmentsHandlers,
  ...templatesHandlers,
  ...transferHandlers,
  ...syncHandlers,

  settings: (_, { db }) => readSettings(db),

  async updateSettings({ version, ...change }, { db, staff, audit }) {
    await db.execute(sql`lock table dns_settings in share row exclusive mode`)
    const before = await readSettings(db)
    const [was] = await readNameServers(db)
    if (version !== undefined && version !== before.version)
      throw conflict('The settings were changed by somebody else meanwhile', { current: before })
    if (change.primaryServerId) {
      const [known] = await rows(
        db,
        sql`select from servers s join server_types t on t.name = s.type
        where s.server_id = ${change.primaryServerId} and s.deleted_at is null and t.services @> array['powerdns']`,
      )
      if (!known) throw refused('The primary has to be a server with PowerDNS', { primaryServerId: 'Has no PowerDNS' })
    }
    const after = {
      primaryServerId: change.primaryServerId === undefined ? before.primaryServerId : change.primaryServerId,
      nameServers: change.nameServers ?? before.nameServers,
      hostmaster: change.hostmaster ?? before.hostmaster,
      version: before.version + 1,
    }
    await db
      .insert(dnsSettings)
      .values({ id: 1, ...after })
      .onConflictDoUpdate({ target: dnsSettings.id, set: after })
    audit.of('dns-settings', 1)
    audit.before(before)
    audit.after(after)
    await changed(db, 'dns')
    const [primary] = await readNameServers(db)
    if (was && primary && was.id !== primary.id && (await hasZones(db)))
      audit.workflow(await startTurn(db, staff, primary.name))
    return after
  },
}

const hasZones = async (db: Db) =>
  (await rows(db, sql`select from zones where deleted_at is null and active limit 1`)).length > 0
