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
/** Of a thousand values; each takes a second, and what a machine does with packages takes several. */
const validShare = 0.04
const packageShare = 0.003

/** As many as asked for, mostly such as have to be refused. */
export function casesOf(seed: number, cases: number): { bad: Case[]; strange: Case[] } {
  const places = leaves.flatMap((leaf) =>
    Array<Leaf>(leaf.rule.kind === 'whole' || leaf.rule.kind === 'word' ? 1 : 4).fill(leaf),
  )
  const any = fc.constantFrom(...places).chain((leaf) => hostile(leaf.rule.kind).map((value) => ({ leaf, value })))
  const [bad, strange]: [Case[], Case[]] = [[], []]
  const room = {
    all: Math.max(8, Math.round(cases * validShare)),
    packages: Math.max(1, Math.round(cases * packageShare)),
  }
  for (let n = 0; bad.length + strange.length < cases; n++)
    for (const { leaf, value } of fc.sample(any, { seed: seed + n, numRuns: Math.max(200, cases) })) {
      if (bad.length + strange.length === cases) break
      const sent: unknown = JSON.parse(JSON.stringify(value)) // as it is read over there
      const reads = leaf.rule.read(sent)
      if (reads === undefined) bad.push({ leaf, value, reads })
      else if (takes(leaf, reads) && strange.length < room.all) {
        if (leaf.rule.kind === 'package' && room.packages-- <= 0) continue
        strange.push({ leaf, value, reads })
      }
    }
  return { bad, strange }
}

/**
 * Words are used all day; paths are tried one folder deep, where the marker stands; a PHP that there is takes a whole
 * Debian and minutes.
 */
const takes = ({ operation, rule: { kind } }: Leaf, reads: string) =>
  kind !== 'word' &&
  operation !== 'php-version.ensure' &&
  (kind !== 'path' || /^\/home\/guest1\/(?!tmp$|home\.example$)[^/]+$/.test(reads))

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
