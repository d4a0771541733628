import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { idOf } from './places.ts'
import { must, run } from './run.ts'

/** Bridge `ink<n>` with the network 10.77.n.0/24, in which this machine is .1. */
export type Network = { n: number; bridge: string; gateway: string }

const subnets = Array.from({ length: 254 }, (_, i) => i + 1)

/**
 * Ensures the bridge of this lab. A lab keeps its stored number unless another lab or network of this machine uses it.
 * Requires the lab's lock.
 */
export async function ensureNetwork(dir: string): Promise<Network> {
  const file = join(dir, 'network.json')
  const mac = macOf(dir)
  const remembered = await readFile(file, 'utf8').then(
    (text) => Number(JSON.parse(text).subnet),
    () => undefined, // a new lab
  )
  // Each lab starts the search at another number, so that labs rarely compete for one.
  const first = Number.parseInt(idOf(dir).slice(0, 4), 16) % subnets.length
  const order = [...subnets.slice(first), ...subnets.slice(0, first)]
  const candidates = remembered && subnets.includes(remembered) ? [remembered, ...order] : order
  for (const n of candidates) {
    const bridge = `ink${n}`
    if (!(await claim(bridge, n, mac))) continue
    if (n !== remembered) await writeFile(file, JSON.stringify({ subnet: n }))
    const gateway = `10.77.${n}.1`
    await must(['ip', 'addr', 'replace', `${gateway}/24`, 'dev', bridge])
    await must(['ip', 'link', 'set', bridge, 'up'])
    // Keeps a machine that routes for others (Docker, a VPN) from routing for practice servers.
    await writeFile(`/proc/sys/net/ipv4/conf/${bridge}/forwarding`, '0')
    return { n, bridge, gateway }
  }
  throw new Error('No free network: this machine uses all of 10.77.1.0/24 to 10.77.254.0/24')
}

/** Removes the lab's bridge if no host is attached to it. Requires the lab's lock. */
export async function dropNetwork(dir: string, { bridge }: Network): Promise<void> {
  if ((await links(['dev', bridge]))[0]?.address !== macOf(dir)) return
  if ((await links(['master', bridge])).length === 0) await must(['ip', 'link', 'del', bridge])
}

/** Connects a host with a link `ink<n>-<number>` to eth0 in the network namespace of `pid`. */
export async function attach(network: Network, number: number, pid: number): Promise<void> {
  const link = linkOf(network, number)
  await detach(network, number)
  await must(['ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid)])
  await connect(network, link)
}

/** Whether the host has its link. A link that is cut exists, too. */
export const isAttached = async (network: Network, number: number): Promise<boolean> =>
  (await links(['dev', linkOf(network, number)])).length > 0

/** Keeps the bridge when the last host has left it, until `release`. */
export async function hold(network: Network): Promise<void> {
  await release(network)
  const link = linkOf(network, 0)
  await must(['ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', `${link}p`])
  await connect(network, link)
}

export async function release(network: Network): Promise<void> {
  await detach(network, 0)
}

/** Attaches a link without an IPv6 address; with one, programs on this machine notice a network change at each boot of a host. */
async function connect(network: Network, link: string): Promise<void> {
  await run(['ip', 'link', 'set', link, 'addrgenmode', 'none']) // fails without IPv6 in the kernel, which is fine
  await must(['ip', 'link', 'set', link, 'master', network.bridge, 'up'])
}

/** Removes the link at once. The kernel would remove it with the host's namespace, but later. */
export async function detach(network: Network, number: number): Promise<void> {
  await run(['ip', 'link', 'del', linkOf(network, number)]) // may not exist
}

export async function setLink(network: Network, number: number, state: 'up' | 'down'): Promise<void> {
  await must(['ip', 'link', 'set', linkOf(network, number), state])
}

export function addressOf({ n }: Network, number: number): string {
  return `10.77.${n}.${number}`
}

function linkOf({ bridge }: Network, number: number): string {
  return `${bridge}-${number}`
}

/**
 * True if the bridge belongs to this lab or its number was free. The kernel creates a bridge with its address in one
 * step and refuses a second bridge of that name, so two labs need no lock for this.
 */
async function claim(bridge: string, n: number, mac: string): Promise<boolean> {
  const [standing] = await links(['dev', bridge])
  if (standing) return standing.address === mac
  const route = await run(['ip', 'route', 'show', 'table', 'all', 'root', `10.77.${n}.0/24`])
  if (route.stdout.trim()) return false
  return (await run(['ip', 'link', 'add', bridge, 'address', mac, 'type', 'bridge'])).code === 0
}

function macOf(dir: string): string {
  return `02:1b:${idOf(dir).match(/../g)?.join(':')}`
}

type Link = { ifname: string; address: string }

async function links(which: string[]): Promise<Link[]> {
  const ran = await run(['ip', '-json', 'link', 'show', ...which])
  if (ran.code !== 0 || !ran.stdout.trim()) return []
  return JSON.parse(ran.stdout) as Link[] // the JSON format of ip(8)
}
