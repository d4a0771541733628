import { createHash } from 'node:crypto'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { endOf, keyOf, type Network, textOf } from '@innkeeper/contract/machines/ipsets/networks'
import type { Db } from '../../../kit/db/db.ts'
import { live, outermost, touchedSince, within } from './bans.ts'
import { type Segment, segmentsOf, widest } from './segments.ts'

type Part = OperationInput<'ip-set.ensure'>['parts'][number]
/** Above this number of changed bans, a part covers a whole slice of the set instead of one network. */
const MANY = 2000
/** Entries per part, and per operation. */
const SLICE = 5000
const AT_ONCE = 20_000

/**
 * The parts that bring a server from change `applied` to the newest one, grouped by operation. A part replaces a whole
 * range: the widest banned network around a change, so that every older entry for that network lies in the range.
 * `applied` null: the parts cover all addresses.
 */
export async function partsSince(
  tx: Db,
  setId: number,
  applied: number | null,
): Promise<{ whole: boolean; parts: Part[][] }> {
  if (applied === null) return { whole: true, parts: packed(await slicesOf(tx, setId)) }
  const touched = await touchedSince(tx, setId, applied)
  const few = touched.length > MANY ? undefined : await aroundEach(tx, setId, touched)
  return { whole: false, parts: packed(few ?? meeting(await slicesOf(tx, setId), touched)) }
}

/** A range of addresses with all bans in it. */
interface Slice {
  family: 4 | 6
  first: bigint
  last: bigint
  segments: Segment[]
}

/** Groups slices into operations of at most AT_ONCE entries. */
function packed(slices: Slice[]): Part[][] {
  const groups: Part[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const slice of slices) {
    size += slice.segments.length
    if (size > AT_ONCE) {
      groups.push([])
      size = slice.segments.length
    }
    groups.at(-1)?.push(partOf(slice))
  }
  return groups
}

/** Splits the address space of both families into slices of SLICE entries, never through an entry. */
async function slicesOf(tx: Db, setId: number): Promise<Slice[]> {
  const segments = segmentsOf(await live(tx, setId))
  return ([4, 6] as const).flatMap((family) => {
    const own = segments.filter((segment) => segment.family === family)
    const many = Math.max(1, Math.ceil(own.length / SLICE))
    return Array.from({ length: many }, (_, n) => {
      const slice = own.slice(n * SLICE, (n + 1) * SLICE)
      const next = own[(n + 1) * SLICE]
      const first = n === 0 ? 0n : (slice[0]?.first ?? 0n)
      return { family, first, last: next ? next.first - 1n : endOf(family), segments: slice }
    })
  })
}

/** The slices that overlap these networks. */
function meeting(slices: readonly Slice[], networks: readonly Network[]): Slice[] {
  const met = new Set<Slice>()
  for (const { family, first, last } of networks)
    for (const slice of slices)
      if (slice.family === family && slice.first <= last && slice.last >= first) met.add(slice)
  return slices.filter((slice) => met.has(slice))
}

/**
 * For each change, the widest banned network around it with all bans in it; undefined if one is too large for a part.
 */
async function aroundEach(tx: Db, setId: number, touched: readonly Network[]): Promise<Slice[] | undefined> {
  const outer = await outermost(tx, setId, touched)
  const slices: Slice[] = []
  for (const network of widest([...touched, ...outer])) {
    const segments = segmentsOf(await within(tx, setId, network))
    if (segments.length > SLICE) return undefined
    slices.push({ ...network, segments })
  }
  return slices
}

const partOf = ({ family, first, last, segments }: Slice): Part => ({
  first: textOf(family, first),
  last: textOf(family, last),
  elements: segments.map((one) => ({
    first: textOf(family, one.first),
    last: textOf(family, one.last),
    until: one.until,
  })),
})

/**
 * sha256 over the entries that a server should have, without those that expire by `at`; the agent computes the same
 * digest.
 */
export async function digestOf(tx: Db, setId: number, at: number): Promise<string> {
  const lines = segmentsOf(await live(tx, setId))
    .filter(({ until }) => until === 0 || until > at)
    .map(({ family, first, last, until }) => `${keyOf(family, first)} ${keyOf(family, last)} ${until}`)
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}
