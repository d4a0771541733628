import { around, holds, type Network, readNetwork } from '@innkeeper/contract/machines/ipsets/networks'

/** A range of addresses, banned until this Unix time in seconds; 0: permanently. */
export interface Segment {
  family: 4 | 6
  first: bigint
  last: bigint
  until: number
}
const later = (a: number, b: number) => (a === 0 || b === 0 ? 0 : Math.max(a, b))

/**
 * Converts bans into the entries of the kernel set, which must not overlap: each address appears once, until the last
 * of its bans expires. Networks are nested or disjoint; so a network that expires earlier is split around inner ones
 * that expire later.
 */
export function segmentsOf(bans: readonly { network: Network; until: number }[]): Segment[] {
  const order = [...bans].sort(
    ({ network: a }, { network: b }) =>
      a.family - b.family || (a.first < b.first ? -1 : a.first > b.first ? 1 : a.prefix - b.prefix),
  )
  const segments: Segment[] = []
  /** The networks that contain the current position, the widest first. */
  const open: { network: Network; until: number }[] = []
  let begun = 0
  let at = 0n
  const write = ({ network: { family, last: end }, until }: (typeof open)[number], last = end) => {
    if (at > last) return
    const before = segments.length > begun ? segments.at(-1) : undefined
    if (before && before.until === until) before.last = last
    else segments.push({ family, first: at, last, until })
    at = last + 1n
  }
  const leave = (until: (inner: Network) => boolean) => {
    for (let inner = open.at(-1); inner && until(inner.network); inner = open.at(-1)) {
      write(inner)
      open.pop()
    }
  }
  for (const { network, until } of order) {
    leave((inner) => !holds(inner, network))
    const outer = open.at(-1)
    if (outer) write(outer, network.first - 1n)
    else {
      at = network.first
      begun = segments.length
    }
    open.push({ network, until: outer ? later(outer.until, until) : until })
  }
  leave(() => true)
  return segments
}

/** The networks that no other of these networks contains. */
export function widest(networks: readonly Network[]): Network[] {
  const kept = new Map<string, Network>()
  for (const network of [...networks].sort((a, b) => a.prefix - b.prefix))
    if (!around(network).some(({ text }) => kept.has(text))) kept.set(network.text, network)
  return [...kept.values()]
}

/** Parses an address from the database, which is already canonical. */
export function stored(text: string): Network {
  const network = readNetwork(text)
  if (!network) throw new Error(`${text} is no network`)
  return network
}
