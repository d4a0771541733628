import fc from 'fast-check'
import { markers, optional, wellBehaved } from './fixtures.ts'
import { type Leaf, leaves, nameOf } from './leaves.ts'
import { hostile } from './values.ts'
import type { Asked } from './world.ts'

export interface Wanted {
  seed: number
  cases: number
}
export interface Case {
  leaf: Leaf
  value: unknown
  /** Expected value on the server; undefined: the value must be refused. */
  reads: string | undefined
}
/** Number of values per run that an agent carries out, one second each; operations with packages take several. */
const roomFor = (cases: number) => ({
  all: Math.min(300, Math.max(8, Math.round(cases * 0.04))),
  packages: Math.min(3, Math.max(1, Math.round(cases * 0.003))),
})
/** Values drawn at once. */
const slice = 250

export interface Drawn {
  /** Cases that must be refused. */
  bad: Case[]
  /** Cases that may be carried out, up to the limit. */
  strange: Case[]
}

/** Generates the requested number of cases, mostly values that must be refused. */
export function* casesOf({ seed, cases }: Wanted): Generator<Drawn> {
  const places = leaves.flatMap((leaf) =>
    Array<Leaf>(leaf.rule.kind === 'whole' || leaf.rule.kind === 'word' ? 1 : 4).fill(leaf),
  )
  const any = fc.constantFrom(...places).chain((leaf) => hostile(leaf.rule.kind).map((value) => ({ leaf, value })))
  const room = roomFor(cases)
  for (let [n, left] = [0, cases]; left > 0; n++) {
    const drawn: Drawn = { bad: [], strange: [] }
    for (const { leaf, value } of fc.sample(any, { seed: sliceSeed(seed, n), numRuns: slice })) {
      if (left === 0) break
      const sent: unknown = JSON.parse(JSON.stringify(value)) // as the agent parses it
      const reads = leaf.rule.read(sent)
      if (reads !== undefined && !(takes(leaf, reads) && hasRoom(room, leaf))) continue
      drawn[reads === undefined ? 'bad' : 'strange'].push({ leaf, value, reads })
      left--
    }
    yield drawn
  }
}

/** Gives neighbouring seeds different cases. */
export const sliceSeed = (seed: number, n: number) => (Math.imul(seed, 100_003) + n) | 0

function hasRoom(room: ReturnType<typeof roomFor>, { rule: { kind } }: Leaf): boolean {
  if (room.all === 0 || (kind === 'package' && room.packages === 0)) return false
  room.all--
  if (kind === 'package') room.packages--
  return true
}

/**
 * Operations whose valid requests fail on this host, because they need another website, a folder to copy or a sending
 * agent. Values for them must be refused as usual, but are never carried out.
 */
const inCompany =
  /^((nginx|apache)-site\.rename|document-root\.(copy|changes)|merge\.(prepare|swap|keep|bring)|transfer\.(pull|verify|fetch))$/

/**
 * Exclusions: known words are used by other tests; paths are tried one folder deep, at the marker; an installed PHP
 * version would download a whole Debian.
 */
const takes = (leaf: Leaf, reads: string) => {
  const {
    operation,
    rule: { kind },
  } = leaf
  return (
    kind !== 'word' &&
    operation !== 'php-version.ensure' &&
    !inCompany.test(operation) &&
    !((kind === 'domain' || kind === 'account') && isToldTwice(leaf)) &&
    (kind !== 'path' || /^\/home\/guest1\/(?!tmp$|home\.example$)[^/]+$/.test(reads))
  )
}

/** Whether the marker occurs twice in the request, so that the effects of the two fields cannot be distinguished. */
const isToldTwice = (leaf: Leaf): boolean => {
  const marker = JSON.stringify(markerOf(leaf))
  return JSON.stringify(askedOf({ leaf, value: null, reads: undefined }).input).includes(marker)
}

export const markerOf = ({ rule: { kind }, operation, at }: Leaf): unknown => {
  if (kind === 'word') throw new Error('a word cannot be a marker')
  return kind === 'whole'
    ? at.reduce(
        (inner: unknown, key) => (inner as Record<string, unknown>)[key] ?? optional[key],
        wellBehaved[operation],
      )
    : markers[kind]
}

export function askedOf({ leaf: { operation, at }, value }: Case): Asked {
  const input = structuredClone(wellBehaved[operation]) as Record<string, unknown>
  let inner = input as Record<string | number, unknown>
  for (const key of at.slice(0, -1)) {
    inner[key] ??= { ...optional[key] }
    inner = inner[key] as Record<string | number, unknown> // the path of the leaf itself
  }
  inner[at.at(-1) ?? ''] = value
  return { name: operation, input }
}

export const told = (one: Case | undefined) =>
  one ? `${nameOf(one.leaf)} = ${JSON.stringify(one.value).slice(0, 200)}` : ''
