import { holds, type Network, networkOf, readAddress, readNetwork } from './machines/ipsets/networks.ts'

interface Address {
  address: string
  family: number
}
/** As `lookup` of Node, for all addresses. */
type Resolve = (host: string, options: { all: true }, answer: (error: Error | null, found: Address[]) => void) => void
/** As Node asks for the address of a connection. */
type Lookup = (
  host: string,
  options: { all?: boolean | undefined },
  answer: (error: Error | null, address: string | Address[], family?: number) => void,
) => void

/**
 * Decides which addresses a program may connect to for somebody who names a host, as in the address of a help desk or of a
 * bucket. The connection goes to the address that was judged: `lookup` resolves, judges and answers only what is allowed,
 * so that a name that means something else a moment later changes nothing.
 */
export interface Reach {
  /** Throws if the host is an address that is not allowed. Names are judged by `lookup`. */
  check(host: string, port: number): void
  lookup(port: number): Lookup
}

interface Judging {
  /** Private addresses and networks that the operator of the installation allows. */
  privateTargets: readonly string[]
  /** The addresses of this machine now; its loopback counts anyway. */
  ownAddresses(): string[]
  /** Ports of this machine that are never reached. */
  ownPorts?: readonly number[]
  resolve: Resolve
  /** The error for an address that is not allowed. */
  refuse(why: string): Error
}

/** Networks that are not the internet: this machine, its neighbours, and what no public service has. */
const inner = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/3'],
  // 2000::/3 is the internet. Within it: Teredo and 6to4, which contain IPv4 addresses, and documentation
  ...['::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
].map(networkIn)
/** Never, whatever the operator allows: clouds tell a machine's secrets at these addresses. */
const never = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::/32'].map(networkIn)
/** IPv6 addresses that mean the IPv4 address in their last 32 bits: mapped, and translated by NAT64. */
const carriers = ['::ffff:0:0/96', '64:ff9b::/96']

/** What is the address of no machine: this network, groups, and reserved. */
const nobodys = ['0.0.0.0/8', '224.0.0.0/3', '::/128', 'ff00::/8'].map(networkIn)

function networkIn(text: string): Network {
  const network = readNetwork(text)
  if (!network) throw new Error(`${text} is no network`)
  return network
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '').replace(/%.*$/s, '')

export function addressIn(text: string): Network | undefined {
  const read = readAddress(bare(text))
  if (!read) return undefined
  const { family, value } = read
  const carried = family === 6 && carriers.some((one) => value >> 32n === prefixOf(one))
  return carried ? networkOf(4, value & 0xffffffffn, 32) : networkOf(family, value, family === 4 ? 32 : 128)
}
const prefixOf = (carrier: string) => (readAddress(carrier.split('/')[0] ?? '')?.value ?? 0n) >> 32n

/**
 * Whether a text is the address of a machine that Innkeeper may ask for somebody who names it, such as a managed server's:
 * private ones are usual there, those of the secrets of clouds never.
 */
export function isMachineAddress(text: string): boolean {
  const found = addressIn(text)
  return found !== undefined && ![...never, ...nobodys].some((network) => holds(network, found))
}

export function reachOf({ privateTargets, ownAddresses, ownPorts = [], resolve, refuse }: Judging): Reach {
  const allowed = privateTargets.map(networkIn)

  function refusal(address: string, port: number): string | undefined {
    const found = addressIn(address)
    if (!found) return `${address} is no address`
    const within = (networks: readonly Network[]) => networks.some((network) => holds(network, found))
    const isOwn = within(['127.0.0.0/8', '::1', ...ownAddresses()].flatMap((text) => readNetwork(bare(text)) ?? []))
    if (within(never)) return `${address} is never asked`
    if (isOwn && ownPorts.includes(port)) return `${address}:${port} is Innkeeper itself`
    if ((isOwn || within(inner)) && !within(allowed)) return `${address} is not a public address`
    return undefined
  }

  return {
    check(host, port) {
      const why = addressIn(host) && refusal(host, port)
      if (why) throw refuse(why)
    },
    lookup: (port) => (host, options, answer) => {
      resolve(host, { ...options, all: true }, (error, found) => {
        if (error) return answer(error, [])
        const good = found.filter(({ address }) => !refusal(address, port))
        const [first] = good
        if (!first) return answer(refuse(refusal(found[0]?.address ?? '', port) ?? `${host} has no address`), [])
        if (options.all) answer(null, good)
        else answer(null, first.address, first.family)
      })
    },
  }
}
