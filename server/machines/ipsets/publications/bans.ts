import { around, bitsOf, keyOf, type Network, numberOf } from '@innkeeper/contract/machines/ipsets/networks'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'

interface Row {
  ip: string
  first: string
}
const columns = sql`ip, first`
const until = sql`coalesce(extract(epoch from expires_at), 0)::float8 as until`
const isLive = sql`ended_at is null and (expires_at is null or expires_at > now())`

/** Parses a stored ban without validation: its text was validated when it was saved. */
function networkIn({ ip, first: key }: Row): Network {
  const family = key.startsWith('4') ? 4 : 6
  const [, width] = ip.split('/')
  const prefix = width === undefined ? bitsOf(family) : Number(width)
  const first = numberOf(key)
  return { family, first, last: first | ((1n << BigInt(bitsOf(family) - prefix)) - 1n), prefix, text: ip }
}

const bansOf = async (tx: Db, which: SQL) =>
  (
    await rows<Row & { until: number }>(
      tx,
      sql`select ${columns}, ${until} from bans where ${which} and ${isLive} order by first`,
    )
  ).map((row) => ({ network: networkIn(row), until: Math.ceil(row.until) }))

/** The live bans of a set. */
export const live = (tx: Db, setId: number) => bansOf(tx, sql`set_id = ${setId}`)

/** The live bans in a network, including the network itself. */
export const within = (tx: Db, setId: number, { family, first, last }: Network) =>
  bansOf(tx, sql`set_id = ${setId} and first between ${keyOf(family, first)} and ${keyOf(family, last)}`)

/** The networks whose bans began or ended after change `applied`. */
export async function touchedSince(tx: Db, setId: number, applied: number): Promise<Network[]> {
  const touched = await rows<Row>(
    tx,
    sql`select ${columns} from bans where set_id = ${setId} and change > ${applied}
      union select ${columns} from bans where set_id = ${setId} and ended_change > ${applied}`,
  )
  return touched.map(networkIn)
}

/** The current bans that contain one of these networks. */
export async function outermost(tx: Db, setId: number, networks: readonly Network[]): Promise<Network[]> {
  const wider = [...new Set(networks.flatMap((network) => around(network).map(({ text }) => text)))]
  const found = await rows<Row>(
    tx,
    sql`select ${columns} from bans where set_id = ${setId} and ended_at is null and ip = any(${sql.param(wider)}::text[])`,
  )
  return found.map(networkIn)
}
