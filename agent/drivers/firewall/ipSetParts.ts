import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { keyOf, numberOf, readAddress, textOf } from '@innkeeper/contract/machines/ipsets/networks'
import { type Delta, type Entry, entryIn, isLive, lineOf } from './ipSetFile.ts'

type Part = OperationInput<'ip-set.ensure'>['parts'][number]
interface Span {
  first: string
  last: string
}

/**
 * The lines to remove and to add: within `parts` the set becomes what they say, outside nothing changes. `lines` are
 * sorted.
 */
export function deltaOf(lines: readonly string[], parts: readonly Part[], now: number): Delta {
  const met = new Map<string, Span[]>()
  for (const part of parts.map(({ first, last }) => ({ first: keyed(first), last: keyed(last) })).sort(byFirst))
    for (const line of meeting(lines, part)) met.set(line, [...(met.get(line) ?? []), part])
  const sent = parts.flatMap(({ elements }) => elements.map((one) => lineOf(entryOf(one))))
  const cut = [...met].flatMap(([line, spans]) => rest(entryIn(line), spans).map(lineOf))
  const come = new Set([...sent, ...cut].filter((line) => isLive(line, now)))
  return {
    gone: [...met.keys()].filter((line) => !come.has(line)),
    come: [...come].filter((line) => !met.has(line)),
  }
}

/** Whether the parts begin with the lowest address, which means that all entries are sent. */
export const isFromStart = (parts: readonly Part[]) => parts[0]?.first === '0.0.0.0'

const byFirst = (a: Span, b: Span) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0)

/** The lines of the entries that overlap a span, by binary search. */
function meeting(lines: readonly string[], { first, last }: Span): string[] {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (entryIn(lines[middle] ?? '').last < first) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < lines.length && entryIn(lines[end] ?? '').first <= last) end += 1
  return lines.slice(low, end)
}

/** The remainder of an entry after the spans are cut out. */
function rest({ first, last, until }: Entry, met: readonly Span[]): Entry[] {
  const left: Entry[] = []
  let at = numberOf(first)
  for (const span of met) {
    if (numberOf(span.first) > at) left.push(spanEntry(first, at, numberOf(span.first) - 1n, until))
    at = numberOf(span.last) + 1n
  }
  if (at <= numberOf(last)) left.push(spanEntry(first, at, numberOf(last), until))
  return left
}

function spanEntry(like: string, first: bigint, last: bigint, until: number): Entry {
  const family = like.startsWith('4') ? 4 : 6
  const text = first === last ? textOf(family, first) : `${textOf(family, first)}-${textOf(family, last)}`
  return { first: keyOf(family, first), last: keyOf(family, last), text, until }
}

function entryOf({ first, last, until }: Part['elements'][number]): Entry {
  const from = keyed(first)
  return spanEntry(from, numberOf(from), numberOf(first === last ? from : keyed(last)), until)
}

function keyed(address: string): string {
  const read = readAddress(address)
  if (!read) throw new Error(`${address} is not an address`)
  return keyOf(read.family, read.value)
}
