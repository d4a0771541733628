import { isLater } from '@innkeeper/contract/net/dns/records'
import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { askSerial, objectionAt } from '../actions.ts'
import { readNameServers } from '../settings.ts'
import { samplesOf } from '../signing/samples.ts'

/** Zones per round, and zones that are asked about at the same time. */
const MOST = 100
const AT_ONCE = 8
/** A publication that takes longer waits for a name server, or has failed. */
const USUAL_S = 5

/** What one name server answers for a zone: its serial, or the reason why it does not count. */
type Ask = (zone: Waiting, address: string) => Promise<number | string>
interface Waiting {
  id: number
  domain: string
  serial: number
  dnskeys: string[]
  /** The name servers that have this serial already. */
  reached: number[]
}

/**
 * Notes which name servers answer the newest serial of zones whose publication waits for another name server: the steps run
 * one after another, and a secondary gets the zone from the primary before its turn.
 */
export async function noteReached(app: App, ask: Ask = askAt(app.db)): Promise<void> {
  const { db } = app
  const waiting = await waitingZones(db)
  if (!waiting.length) return
  const servers = await readNameServers(db)
  const work = async () => {
    for (let zone = waiting.shift(); zone; zone = waiting.shift()) {
      const { id, serial, reached } = zone
      const left = servers.filter((server) => !reached.includes(server.id))
      const answers = await Promise.all(
        left.map(async (server) => ({ server, answer: await ask(zone, server.address) })),
      )
      const there = answers.flatMap(({ server, answer }) =>
        typeof answer === 'number' && !isLater(serial, answer) ? [{ id: server.id, serial: answer }] : [],
      )
      if (!there.length) continue
      await db.transaction(async (tx) => {
        for (const one of there) await noteAnswer(tx, id, one.id, one.serial)
        await changed(tx, 'dns', id)
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Notes that a name server answers this serial, validly signed if the zone is. */
export const noteAnswer = (tx: Db, zoneId: number, serverId: number, serial: number) =>
  tx.execute(sql`insert into zone_states (zone_id, server_id, seen, serial) values (${zoneId}, ${serverId}, 'same', ${serial})
    on conflict (zone_id, server_id) do update set seen = 'same', why = null, serial = excluded.serial, at = now()`)

const waitingZones = (db: Db): Promise<Waiting[]> =>
  rows(
    db,
    sql`select z.zone_id as id, z.domain, z.serial::float8 as serial,
        case when z.dnssec then jsonb_path_query_array(z.keys, '$[*].dnskey') else '[]' end as dnskeys,
        array(select server_id from zone_states s where s.zone_id = z.zone_id and s.serial = z.serial) as reached
      from zones z where z.deleted_at is null and z.active and z.live_serial is distinct from z.serial and z.zone_id = any(array(
        select subject_id from workflows where ended_at is null and started_at < now() - make_interval(secs => ${USUAL_S})
          and subject_type = 'zone' and kind = 'zone.publish' order by started_at desc limit ${MOST}))
      order by z.updated_at desc limit ${MOST}`,
  )

const askAt =
  (db: Db): Ask =>
  async ({ domain, dnskeys }, address) => {
    const serial = await askSerial(address, domain)
    if (typeof serial === 'string' || !dnskeys.length) return serial
    return (await objectionAt(address, domain, dnskeys, await samplesOf(db, domain))) ?? serial
  }
