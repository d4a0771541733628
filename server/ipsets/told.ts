import { createHash } from 'node:crypto'
import type { OperationInput } from '@innkeeper/contract/agent'
import { around, endOf, keyOf, type Network, textOf } from '@innkeeper/contract/ipsets/networks'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../kit/db.ts'
import { type Segment, segmentsOf, stored, widest } from './segments.ts'

type Part = OperationInput<'ip-set.ensure'>['parts'][number]
/** Changed bans that are told by themselves; beyond it the set is told whole. */
const MANY = 2000
/** Entries in one operation. */
const AT_ONCE = 5000

/**
 * What a server that has a set as it was at change `applied` is to be told: a list of parts for each operation. A part
 * is the widest network around something that was changed; what else was told there before, lies in it.
 */
export async function partsSince(
  tx: Db,
  setId: number,
  applied: number | null,
): Promise<{ whole: boolean; parts: Part[][] }> {
  const touched = applied === null ? undefined : await touchedSince(tx, setId, applied)
  if (!touched) return { whole: true, parts: wholeParts(segmentsOf(await live(tx, setId))) }
  const outer = await outermost(tx, setId, touched)
  const parts: Part[] = []
  for (const network of widest([...touched, ...outer])) {
    const segments = segmentsOf(await within(tx, setId, network))
    if (segments.length > AT_ONCE) return { whole: true, parts: wholeParts(segmentsOf(await live(tx, setId))) }
    parts.push(partOf(network.family, network.first, network.last, segments))
  }
  return { whole: false, parts: parts.length ? packed(parts) : [] }
}

/** As many parts together as one operation takes. */
function packed(parts: Part[]): Part[][] {
  const groups: Part[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const part of parts) {
    size += part.elements.length + 1
    if (size > AT_ONCE) {
      groups.push([])
      size = part.elements.length + 1
    }
    groups.at(-1)?.push(part)
  }
  return groups
}

/** The addresses of both families from end to end, cut where an operation is full. */
function wholeParts(segments: Segment[]): Part[][] {
  return ([4, 6] as const).flatMap((family) => {
    const own = segments.filter((segment) => segment.family === family)
    const slices = Math.max(1, Math.ceil(own.length / AT_ONCE))
    return Array.from({ length: slices }, (_, n) => {
      const slice = own.slice(n * AT_ONCE, (n + 1) * AT_ONCE)
      const next = own[(n + 1) * AT_ONCE]
      return [partOf(family, n === 0 ? 0n : (slice[0]?.first ?? 0n), next ? next.first - 1n : endOf(family), slice)]
    })
  })
}

const partOf = (family: 4 | 6, first: bigint, last: bigint, segments: Segment[]): Part => ({
  first: textOf(family, first),
  last: textOf(family, last),
  elements: segments.map((one) => ({
    first: textOf(family, one.first),
    last: textOf(family, one.last),
    until: one.until,
  })),
})

/** sha256 of the lines that a server is to have, of those that end after `at` or never; the agent computes the same. */
export async function digestOf(tx: Db, setId: number, at: number): Promise<string> {
  const lines = segmentsOf(await live(tx, setId))
    .filter(({ until }) => until === 0 || until > at)
    .map(({ family, first, last, until }) => `${keyOf(family, first)} ${keyOf(family, last)} ${until}`)
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

interface Row {
  ip: string
  until: number
}
const columns = sql`ip, coalesce(extract(epoch from expires_at), 0)::float8 as until`
const isLive = sql`ended_at is null and (expires_at is null or expires_at > now())`
const read = (found: Row[]) => found.map(({ ip, until }) => ({ network: stored(ip), until: Math.ceil(until) }))

const live = async (tx: Db, setId: number) =>
  read(await rows<Row>(tx, sql`select ${columns} from bans where set_id = ${setId} and ${isLive}`))

/** The bans in a network, itself included. */
const within = async (tx: Db, setId: number, { family, first, last }: Network) =>
  read(
    await rows<Row>(
      tx,
      sql`select ${columns} from bans where set_id = ${setId} and ${isLive}
        and first between ${keyOf(family, first)} and ${keyOf(family, last)}`,
    ),
  )

async function touchedSince(tx: Db, setId: number, applied: number): Promise<Network[] | undefined> {
  const touched = await rows<{ ip: string }>(
    tx,
    sql`select ip from bans where set_id = ${setId} and change > ${applied}
      union select ip from bans where set_id = ${setId} and ended_change > ${applied} limit ${MANY + 1}`,
  )
  return touched.length > MANY ? undefined : touched.map(({ ip }) => stored(ip))
}

/** The bans around networks. */
async function outermost(tx: Db, setId: number, networks: readonly Network[]): Promise<Network[]> {
  const wider = [...new Set(networks.flatMap((network) => around(network).map(({ text }) => text)))]
  const found = await rows<{ ip: string }>(
    tx,
    sql`select ip from bans where set_id = ${setId} and ended_at is null and ip = any(${sql.param(wider)}::text[])`,
  )
  return found.map(({ ip }) => stored(ip))
}
