import fc from 'fast-check'
import { markers, optional, wellBehaved } from './fixtures.ts'
import { type Leaf, leaves, nameOf } from './grammar.ts'
import { hostile } from './values.ts'
import type { Asked } from './world.ts'

export interface Wanted {
  seed: number
  cases: number
}
export interface Case {
  leaf: Leaf
  value: unknown
  /** As it is to reach the machine; undefined: nothing of it may. */
  reads: string | undefined
}
/** How many of a run's values are carried out, which takes a second each; what a machine does with packages takes several. */
const roomFor = (cases: number) => ({
  all: Math.min(300, Math.max(8, Math.round(cases * 0.04))),
  packages: Math.min(3, Math.max(1, Math.round(cases * 0.003))),
})
/** Values that are drawn at a time. */
const slice = 250

export interface Drawn {
  /** What has to be refused. */
  bad: Case[]
  /** What may be carried out, as far as there is room for it. */
  strange: Case[]
}

/** As many as asked for in all, mostly such as have to be refused. */
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
      const sent: unknown = JSON.parse(JSON.stringify(value)) // as it is read over there
      const reads = leaf.rule.read(sent)
      if (reads !== undefined && !(takes(leaf, reads) && hasRoom(room, leaf))) continue
      drawn[reads === undefined ? 'bad' : 'strange'].push({ leaf, value, reads })
      left--
    }
    yield drawn
  }
}

/** Slices of neighbouring seeds are not the same. */
export const sliceSeed = (seed: number, n: number) => (Math.imul(seed, 100_003) + n) | 0

function hasRoom(room: ReturnType<typeof roomFor>, { rule: { kind } }: Leaf): boolean {
  if (room.all === 0 || (kind === 'package' && room.packages === 0)) return false
  room.all--
  if (kind === 'package') room.packages--
  return true
}

/**
 * Refused they have to be like any; carried out they need what is not there: a website that has another name, a folder that
 * is copied, a peer that sends. What they start depends on that and not on the value.
 */
const inCompany =
  /^((nginx|apache)-site\.rename|document-root\.(copy|changes|merge|revert)|transfer\.(pull|verify|fetch))$/

/**
 * Words are used all day; paths are tried one folder deep, where the marker stands; a PHP that there is takes a whole
 * Debian and minutes.
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
    !(kind === 'domain' && isToldTwice(leaf)) &&
    (kind !== 'path' || /^\/home\/guest1\/(?!tmp$|home\.example$)[^/]+$/.test(reads))
  )
}

/** Its marker stands elsewhere in what is asked: what becomes of it here cannot be told from what becomes of it there. */
const isToldTwice = (leaf: Leaf): boolean => {
  const marker = JSON.stringify(markerOf(leaf))
  return JSON.stringify(askedOf({ leaf, value: null, reads: undefined }).input).includes(marker)
}

export const markerOf = ({ rule: { kind }, operation, at }: Leaf): unknown => {
  if (kind === 'word') throw new Error('a word is no marker')
  return kind === 'whole'
    ? at.reduce((inner: unknown, key) => (inner as Record<string, unknown>)[key], wellBehaved[operation])
    : markers[kind]
}

export function askedOf({ leaf: { operation, at }, value }: Case): Asked {
  const input = structuredClone(wellBehaved[operation]) as Record<string, unknown>
  let inner = input as Record<string | number, unknown>
  for (const key of at.slice(0, -1)) {
    inner[key] ??= { ...optional[key] }
    inner = inner[key] as Record<string | number, unknown> // the leaf's own way
  }
  inner[at.at(-1) ?? ''] = value
  return { name: operation, input }
}

export const told = (one: Case | undefined) =>
  one ? `${nameOf(one.leaf)} = ${JSON.stringify(one.value).slice(0, 200)}` : ''
