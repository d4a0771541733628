import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { holds, networkOf, readAddress, readNetwork } from '@innkeeper/contract/ipsets/networks'
import type { Logger } from 'pino'
import type { Settings } from '../app/settings.ts'
import { NotReached } from './notReached.ts'

/**
 * Decides which addresses Innkeeper may connect to for somebody who names a host, as in the address of a help desk. The
 * connection goes to the address that was judged: `lookup` resolves, judges and answers only what is allowed, so that a
 * name that means something else a moment later changes nothing.
 */
export interface Reach {
  /** Throws if the host is an address that is not allowed. Names are judged by `lookup`. */
  check(host: string, port: number): void
  lookup(port: number): LookupFunction
  log: Pick<Logger, 'warn'>
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

function networkIn(text: string) {
  const network = readNetwork(text)
  if (!network) throw new Error(`${text} is no network`)
  return network
}

export function addressIn(text: string) {
  const plain = text.replace(/^\[|\]$/g, '').replace(/%.*$/s, '')
  const read = readAddress(plain)
  if (!read) return undefined
  const { family, value } = read
  const carried = family === 6 && carriers.some((one) => value >> 32n === prefixOf(one))
  return carried ? networkOf(4, value & 0xffffffffn, 32) : networkOf(family, value, family === 4 ? 32 : 128)
}
const prefixOf = (carrier: string) => (readAddress(carrier.split('/')[0] ?? '')?.value ?? 0n) >> 32n

export function reachOf({
  settings,
  log,
  resolve = lookup,
}: {
  settings: Pick<Settings, 'privateTargets' | 'port' | 'agentPort' | 'previewPort'>
  log: Pick<Logger, 'warn'>
  /** The resolver of the machine; another one in tests. */
  resolve?: typeof lookup
}): Reach {
  const allowed = settings.privateTargets.map(networkIn)
  const ownPorts = [settings.port, settings.agentPort, settings.previewPort].filter(Boolean)

  function refusal(address: string, port: number): string | undefined {
    const found = addressIn(address)
    if (!found) return `${address} is no address`
    const within = (networks: typeof inner) => networks.some((network) => holds(network, found))
    const isOwn = within(ownAddresses())
    if (within(never)) return `${address} is never asked`
    if (isOwn && ownPorts.includes(port)) return `${address}:${port} is Innkeeper itself`
    if ((isOwn || within(inner)) && !within(allowed)) return `${address} is not a public address`
    return undefined
  }

  return {
    log,
    check(host, port) {
      const bare = host.replace(/^\[|\]$/g, '')
      const why = isIP(bare.replace(/%.*$/s, '')) ? refusal(bare, port) : undefined
      if (why) throw new NotReached(why)
    },
    lookup: (port) => (host, options, answer) => {
      resolve(host, { ...options, all: true }, (error, found) => {
        if (error) return answer(error, [])
        const good = found.filter(({ address }) => !refusal(address, port))
        const [first] = good
        if (!first)
          return answer(new NotReached(refusal(found[0]?.address ?? '', port) ?? `${host} has no address`), [])
        if (options.all) answer(null, good)
        else answer(null, first.address, first.family)
      })
    },
  }
}

/** The addresses of this machine now, with its loopback. */
const ownAddresses = () =>
  [
    '127.0.0.0/8',
    '::1',
    ...Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)),
  ].flatMap((text) => readNetwork(text.replace(/%.*$/s, '')) ?? [])
