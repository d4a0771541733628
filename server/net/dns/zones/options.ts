import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { USUAL_OPTIONS, type ZoneOptions } from '@innkeeper/contract/net/dns/options'
import type { App } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { readNameServers } from '../settings.ts'
import { outsideSecret } from '../signing/keys.ts'
import type { KeptZone } from '../view.ts'

/**
 * The options of a zone after a change; undefined if nothing changes. Creates the transfer key of external name servers
 * if needed.
 */
export async function checkedOptions(
  db: Db,
  { secrets }: Pick<App, 'secrets'>,
  zone: KeptZone,
  signed: boolean,
  change: { [K in keyof ZoneOptions]?: ZoneOptions[K] | undefined },
): Promise<ZoneOptions | undefined> {
  const before: ZoneOptions = { ...USUAL_OPTIONS, ...zone.options }
  const { soa = before.soa, nsec3 = before.nsec3, cds = before.cds, outside = before.outside } = change
  const after = { soa, nsec3, cds, outside }
  if (isDeepStrictEqual(after, before)) return undefined
  if (!signed && cds && !before.cds)
    throw refused('Only a signed zone has a DS record', { 'options.cds': 'Sign the zone first' })
  const own = (await readNameServers(db)).find(({ address }) => outside.includes(address))
  if (own)
    throw refused(`${own.name} is a name server of Innkeeper: it already has the zone`, {
      'options.outside': `${own.address} is ${own.name}, which already has the zone`,
    })
  if (outside.length) await secrets.readOrMake(db, outsideSecret(zone.id), () => randomBytes(32).toString('base64'))
  return after
}
