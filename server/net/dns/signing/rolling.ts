import { ZoneKeys } from '@innkeeper/contract/agent/dns'
import type { dns as contract } from '@innkeeper/contract/net/dns/calls'
import { keyBytes, makeKey, tagOf, type ZoneKey } from '@innkeeper/contract/net/dns/dnskey'
import { generations, withKinds } from '@innkeeper/contract/net/dns/keyKinds'
import { outsideKeyName } from '@innkeeper/contract/net/dns/options'
import { eq } from 'drizzle-orm'
import type { Handlers } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { nextVersion as raised } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { publish } from '../publications/publish.ts'
import { nextVersion } from '../records/apply.ts'
import { readNameServers } from '../settings.ts'
import { zones } from '../tables.ts'
import { holdZone, readZone } from '../view.ts'
import { checkVersion } from '../zones/zones.ts'
import { keepKeys, keysSecret, outsideSecret } from './keys.ts'
import { resolversOf, untrusting } from './parent.ts'

/** Calls about the keys of a zone. */
export const keyHandlers: Pick<Handlers<typeof contract>, 'exportKeys' | 'rollKey'> = {
  async exportKeys({ id }, { db, app, staff, audit }) {
    const { domain, options } = await holdZone(db, id, staff)
    const text = await app.secrets.read(db, keysSecret(id))
    const keys = withKinds(text ? ZoneKeys.parse(JSON.parse(text)) : []).map((key) => {
      const rdata = keyBytes(key.dnskey)
      const tag = tagOf(rdata)
      const file = `K${domain}.+${String(rdata[3]).padStart(3, '0')}+${String(tag).padStart(5, '0')}`
      return { tag, file, ...key }
    })
    const key = options.outside?.length ? await app.secrets.read(db, outsideSecret(id)) : undefined
    const primary = (await readNameServers(db))[0]?.address ?? null
    audit.of('zone', id)
    audit.after({ domain, exported: keys.map(({ tag }) => tag), transfer: key !== undefined })
    return {
      keys,
      transfer: key === undefined ? null : { name: outsideKeyName(domain), algorithm: 'hmac-sha256', key, primary },
    }
  },

  // a stream, because the parent zone is asked before the transaction
  async rollKey({ id, step, despiteDs, version }, context) {
    const { staff, app, lastly, audit } = context
    const { domain, serial, liveSerial } = await readZone(context.db, id, staff)
    // signatures of the former key from one name server and the new keys from another are bogus together
    if (step === 'finish' && liveSerial !== null && liveSerial !== serial && !despiteDs) {
      const why = `Not all name servers have the new keys yet: wait until ${domain} is live, or repair the zone. Otherwise validating resolvers refuse answers`
      throw refused(why, { despiteDs: why })
    }
    const [seen] = await context.db.select({ keys: zones.keys }).from(zones).where(eq(zones.id, id))
    const shown = seen?.keys ?? []
    const stays = step === 'cancel' ? generations(shown).former : generations(shown).next
    if (step !== 'begin' && stays.length && !despiteDs) {
      const why = await untrusting(domain, stays, resolversOf(app))
      if (why) throw refused(why, { despiteDs: why })
    }
    return lastly(async (db) => {
      const zone = await holdZone(db, id, staff)
      checkVersion(zone, version)
      if (!zone.dnssec || !zone.keys.length) throw refused(`${domain} is not signed by keys of Innkeeper`)
      if (zone.keys.map(({ dnskey }) => dnskey).join() !== shown.map(({ dnskey }) => dnskey).join())
        throw conflict(`The keys of ${domain} were changed by somebody else meanwhile`, { current: zone })
      const isRolling = generations(zone.keys).next.length > 0
      if (step === 'begin' && isRolling) throw refused(`${domain} is getting another key already`)
      if (step !== 'begin' && !isRolling) throw refused(`${domain} is not getting another key`)
      const keys = ZoneKeys.parse(JSON.parse((await app.secrets.read(db, keysSecret(id))) ?? '[]'))
      const after =
        step === 'begin'
          ? [...keys, ...(await replacementFor(zone.keys))]
          : keys.filter(({ dnskey }) => stays.some((key) => key.dnskey === dnskey))
      await keepKeys(db, app, zone, after, zone.keys)
      const [row] = await db
        .update(zones)
        .set({ serial: nextVersion(zone.serial), ...raised })
        .where(eq(zones.id, id))
        .returning()
      if (row) await publish(db, app, row, staff)
      audit.of('zone', id)
      audit.after({ domain, step, keys: row?.keys.map(({ tag }) => tag) })
      await changed(db, 'dns', id)
      return readZone(db, id, staff)
    })
  },
}

/**
 * New keys beside those of a zone, one for each kind. A single new key beside a KSK and a ZSK would sign no records until
 * the ZSK is removed.
 */
async function replacementFor(keys: readonly ZoneKey[]): Promise<ZoneKeys> {
  const isPair = withKinds(keys).some(({ kind }) => kind === 'ZSK')
  const made = await Promise.all(isPair ? [makeKey(257), makeKey(256)] : [makeKey()])
  return made.map((key) => ({ ...key, active: true }))
}
