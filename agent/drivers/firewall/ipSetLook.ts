import { keyOf, numberOf, readNetwork } from '@innkeeper/contract/machines/ipsets/networks'
import type { Driver } from '../../kit/driver.ts'
import { run } from '../../kit/host.ts'
import { digestOf, entryIn, isLive, readSet, seconds } from './ipSetFile.ts'
import { table } from './ipSetLoader.ts'
import { packetsIn, setsOf } from './ipSetTable.ts'

/** The kernel may already have removed entries that end within so many seconds. */
const MARGIN_S = 3
interface Span {
  first: string
  last: string
}

/** Compares the control plane's sets with the files, and the files with the kernel. */
export const compareIpSets: Driver<'ip-sets.compare'> = {
  async run({ input: { at, sets }, say }) {
    const compared = []
    const counters = (await run(['nft', 'list', 'counters', 'table', ...table.split(' ')])).stdout
    for (const { set, sum } of sets) {
      const kept = await readSet(set, seconds() - MARGIN_S)
      const inKernel = await spansOf(set)
      const seen = verdict(kept?.lines, inKernel, sum, at)
      say(seen === 'same' ? `${set} is as it should be` : `${set} is ${seen}`)
      const elements = (kept?.lines ?? []).filter((line) => isLive(line, seconds())).length
      compared.push({ set, seen, elements, packets: packetsIn(counters, set) })
    }
    return { sets: compared }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** Answers which of some networks the set drops completely. */
export const lookAtIpSet: Driver<'ip-set.look'> = {
  async run({ input: { set, networks } }) {
    const spans = joined((await spansOf(set)) ?? [])
    const dropped = networks.filter((text) => {
      const network = readNetwork(text)
      if (!network) return false
      const [first, last] = [keyOf(network.family, network.first), keyOf(network.family, network.last)]
      return spans.some((span) => span.first <= first && span.last >= last && span.first[0] === first[0])
    })
    return { dropped }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

function verdict(
  /** Includes entries that have just ended. */
  kept: readonly string[] | undefined,
  inKernel: Span[] | undefined,
  sum: string,
  at: number,
): 'same' | 'different' | 'missing' {
  if (!kept || !inKernel) return 'missing'
  if (digestOf(kept, at) !== sum) return 'different'
  const now = seconds()
  const lasting = kept.filter((line) => isLive(line, now + MARGIN_S)).map(entryIn)
  const said = written(joined(inKernel))
  return said === written(joined(lasting)) || said === written(joined(kept.map(entryIn))) ? 'same' : 'different'
}

const written = (spans: readonly Span[]) => spans.map(({ first, last }) => `${first}-${last}`).join('\n')

/** Merges adjacent spans: the same addresses may be cut into different entries. */
function joined(spans: readonly Span[]): Span[] {
  const whole: Span[] = []
  for (const { first, last } of [...spans].sort((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = whole.at(-1)
    if (before && before.last[0] === first[0] && numberOf(before.last) + 1n === numberOf(first)) before.last = last
    else whole.push({ first, last })
  }
  return whole
}

/** The spans of a set in the kernel, by `nft --json`; undefined if the kernel lacks the set. */
async function spansOf(set: string): Promise<Span[] | undefined> {
  const spans: Span[] = []
  for (const name of setsOf(set)) {
    const ran = await run(['nft', '--json', 'list', 'set', ...table.split(' '), name])
    if (ran.code !== 0) return undefined
    const { nftables } = JSON.parse(ran.stdout) as { nftables: { set?: { elem?: Element[] } }[] } // libnftables-json(5)
    spans.push(...nftables.flatMap((one) => one.set?.elem ?? []).map(spanOf))
  }
  return spans
}

/** An element as `"192.0.2.1"`, `{ prefix }` or `{ range }`; with a timeout, `elem` contains it. */
type Value = string | { prefix: { addr: string; len: number } } | { range: [string, string] }
type Element = Value | { elem: { val: Value } }

function spanOf(element: Element): Span {
  const value = typeof element === 'object' && 'elem' in element ? element.elem.val : element
  const [from, to] =
    typeof value === 'string'
      ? [value, value]
      : 'prefix' in value
        ? [`${value.prefix.addr}/${value.prefix.len}`, `${value.prefix.addr}/${value.prefix.len}`]
        : value.range
  const [first, last] = [readNetwork(from), readNetwork(to)]
  if (!first || !last) throw new Error(`nft lists ${JSON.stringify(element)}, which is not an address`)
  return { first: keyOf(first.family, first.first), last: keyOf(last.family, last.last) }
}
