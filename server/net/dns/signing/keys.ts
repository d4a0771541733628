import { ZoneKeys } from '@innkeeper/contract/agent/dns'
import { dsOf, keyBytes, makeKey, tagOf, type ZoneKey } from '@innkeeper/contract/net/dns/dnskey'
import { entryKeys } from '@innkeeper/contract/net/dns/keyKinds'
import { eq, inArray, sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import { reader } from '../../../kit/agents/sealed.ts'
import type { App } from '../../../kit/app/app.ts'
import { secrets as secretsTable } from '../../../kit/app/tables.ts'
import type { Db } from '../../../kit/db/db.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { action } from '../../../kit/work/action.ts'
import { zones } from '../tables.ts'

/** Name of the secret with the keys of a zone: `ZoneKeys` as JSON. */
export const keysSecret = (zoneId: number): string => `dnssec-keys:${zoneId}`

/** Name of the secret with the TSIG key with which name servers outside transfer a zone. */
export const outsideSecret = (zoneId: number): string => `dns-outside-key:${zoneId}`

/** Stores the keys of a zone: private halves encrypted as a secret, public halves in the row of the zone. */
export async function keepKeys(
  tx: Db,
  { secrets }: Pick<App, 'secrets'>,
  zone: { id: number; domain: string },
  keys: ZoneKeys,
  known: readonly ZoneKey[] = [],
): Promise<ZoneKey[]> {
  const since = new Date().toISOString()
  const shown = await Promise.all(
    keys.map(async ({ dnskey, active }) => ({
      ...{ tag: tagOf(keyBytes(dnskey)), dnskey, active, ds: await dsOf(zone.domain, dnskey) },
      since: known.find((key) => key.dnskey === dnskey)?.since ?? since,
    })),
  )
  await secrets.write(tx, keysSecret(zone.id), JSON.stringify(keys))
  await tx
    .update(zones)
    .set({ keys: shown, ds: entryKeys(shown).map(({ ds }) => ds) })
    .where(eq(zones.id, zone.id))
  return shown
}

/** Makes keys for a zone that is signed for the first time. A zone that was signed before keeps its keys. */
export async function firstKeys(
  tx: Db,
  app: Pick<App, 'secrets'>,
  zone: { id: number; domain: string; keys: ZoneKey[] },
): Promise<ZoneKey[]> {
  return zone.keys.length ? zone.keys : keepKeys(tx, app, zone, [{ ...(await makeKey()), active: true }])
}

/** Deletes the keys of a deleted zone. */
export const forgetKeys = (tx: Db, zoneId: number) =>
  tx.delete(secretsTable).where(inArray(secretsTable.name, [keysSecret(zoneId), outsideSecret(zoneId)]))

const Sealed = z.object({ sealed: z.string().nullable() })

/**
 * Fetches the keys of a zone from the name server that made them, for zones that were signed before Innkeeper stored
 * keys. If several servers have keys, the keys that match the DS record shown to people are used.
 */
export const zoneKeysTake = action(
  'zone.keys-take',
  z.object({ zoneId: z.int(), domain: z.string(), servers: z.array(z.object({ id: z.int(), name: z.string() })) }),
  {
    title: 'Keys',
    what: ({ domain }) => `Innkeeper stores the keys of ${domain}`,
    async run({ zoneId, domain, servers }, { app, say, fence }) {
      const [zone] = await app.db.select().from(zones).where(eq(zones.id, zoneId))
      if (!zone || zone.keys.length) return { keys: zone?.keys.length ?? 0 }
      const away: string[] = []
      const found: { name: string; keys: ZoneKeys; ds: string[] }[] = []
      for (const { id, name } of servers) {
        const { key, open } = reader()
        const answer = await liveRead(app, id, 'dns-zone.keys', { domain, reader: key }).then(
          (output) => Sealed.parse(output),
          (error: unknown) => {
            if (!(error instanceof Refusal)) throw error
            away.push(`${name}: ${error.message}`)
            return { sealed: null }
          },
        )
        if (!answer.sealed) continue
        const keys = ZoneKeys.parse(JSON.parse(open(answer.sealed)))
        found.push({ name, keys, ds: await Promise.all(keys.map(({ dnskey }) => dsOf(domain, dnskey))) })
      }
      const taken = found.find(({ ds }) => !zone.ds.length || ds.some((one) => zone.ds.includes(one)))
      if (!taken && (away.length || zone.ds.length))
        throw new Error(
          `No name server has the key of the DS record ${zone.ds.join(', ') || 'of this zone'}${away.length ? `. Not asked: ${away.join('; ')}` : ''}`,
        )
      fence()
      const keys = taken?.keys ?? [{ ...(await makeKey()), active: true }]
      await app.db.transaction(async (tx) => {
        await tx.execute(sql`select from zones where zone_id = ${zoneId} for update`)
        await keepKeys(tx, app, zone, keys)
      })
      say(taken ? `${taken.name} gave ${keys.length === 1 ? 'its key' : `${keys.length} keys`}` : 'a new key was made')
      return { keys: keys.length }
    },
  },
)
