import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent'
import { keyOf, numberOf, readAddress, textOf } from '@innkeeper/contract/ipsets/networks'
import { absent, ensureDirectory, places, read, remove, replace } from '../kit/host.ts'

type Part = OperationInput<'ip-set.ensure'>['parts'][number]

/** Addresses as text that sorts as they do, as nft writes them, and the second since 1970 at which they end; 0: never. */
export interface Entry {
  first: string
  last: string
  text: string
  until: number
}
export interface KeptIpSet {
  change: number
  /** In the order of their addresses; none meets another. */
  entries: Entry[]
}

/** Where all is kept that a start of the machine needs, see ipSetTable.ts. */
export const setFolder = `${places.state}/ip-sets`
const fileOf = (set: string) => `${setFolder}/sets/${set}`

/** The sets of this machine. */
export const setNames = async (): Promise<string[]> =>
  ((await readdir(`${setFolder}/sets`).catch(absent)) ?? []).filter((name) => !name.endsWith('.new')).sort()

export async function readSet(set: string): Promise<KeptIpSet | undefined> {
  const [head, ...lines] = (await read(fileOf(set)))?.trimEnd().split('\n') ?? []
  if (head === undefined) return undefined
  const entries = lines.map((line): Entry => {
    const [first = '', last = '', text = '', until = ''] = line.split(' ')
    return { first, last, text, until: Number(until) }
  })
  return { change: Number(head.replace('# change ', '')), entries }
}

export async function writeSet(set: string, { change, entries }: KeptIpSet): Promise<void> {
  await ensureDirectory(setFolder, { mode: 0o700 })
  await ensureDirectory(`${setFolder}/sets`, { mode: 0o700 })
  const lines = entries.map(({ first, last, text, until }) => `${first} ${last} ${text} ${until}\n`)
  await replace(fileOf(set), `# change ${change}\n${lines.join('')}`, { mode: 0o600 })
}
export const dropSet = (set: string) => remove(fileOf(set))

export const isLive = ({ until }: Entry, at: number) => until === 0 || until > at
export const seconds = () => Math.floor(Date.now() / 1000)

/** sha256 of what does not end until then: the control plane computes the same. */
export function digestOf(entries: readonly Entry[], at: number): string {
  const lines = entries
    .filter((entry) => isLive(entry, at))
    .map(({ first, last, until }) => `${first} ${last} ${until}`)
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

export interface Merged {
  entries: Entry[]
  gone: Entry[]
  come: Entry[]
}

/** What a set becomes: in these parts what they say, elsewhere what it was; what has ended is left out. */
export function merged(before: readonly Entry[], parts: readonly Part[], now: number): Merged {
  const within = parts.map(({ first, last }) => ({ first: keyed(first), last: keyed(last) })).sort(byFirst)
  const kept: Entry[] = []
  const touched: Entry[] = []
  const come = parts.flatMap(({ elements }) => elements.map(entryOf)).filter((entry) => isLive(entry, now))
  for (const entry of before) {
    if (!isLive(entry, now)) continue
    const met = meeting(within, entry)
    if (!met.length) kept.push(entry)
    else {
      touched.push(entry)
      come.push(...rest(entry, met))
    }
  }
  const idOf = ({ text, until }: Entry) => `${text} ${until}`
  const [was, is] = [touched, come].map((entries) => new Set(entries.map(idOf)))
  return {
    entries: [...kept, ...come].sort(byFirst),
    gone: touched.filter((entry) => !is?.has(idOf(entry))),
    come: come.filter((entry) => !was?.has(idOf(entry))),
  }
}

interface Span {
  first: string
  last: string
}
const byFirst = (a: Span, b: Span) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0)

/** Those of ordered spans that meet an entry. */
function meeting(spans: readonly Span[], { first, last }: Entry): Span[] {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.last ?? '') < first) low = middle + 1
    else high = middle
  }
  const met: Span[] = []
  for (let i = low; i < spans.length && (spans[i]?.first ?? '') <= last; i++) {
    const span = spans[i]
    if (span && span.first[0] === first[0]) met.push(span)
  }
  return met
}

/** What of an entry lies in none of the spans that it meets. */
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
  return spanEntry(from, numberOf(from), numberOf(keyed(last)), until)
}

function keyed(address: string): string {
  const read = readAddress(address)
  if (!read) throw new Error(`${address} is no address`)
  return keyOf(read.family, read.value)
}
