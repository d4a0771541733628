import { isIPv4, isIPv6 } from 'node:net'

/**
 * The address without the IPv6 form of an IPv4 address, which a node that listens on `::` sees, and without a zone. Empty for a
 * connection that has ended meanwhile, which has no address any more, whatever Fastify's types say.
 */
export const plainAddress = (ip: string | undefined): string =>
  (ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/s, '')

/**
 * The unit in which addresses are counted: an IPv4 address, or the /64 of an IPv6 address, because one visitor controls
 * all of it.
 */
export function networkOf(ip: string | undefined): string {
  const plain = plainAddress(ip)
  if (isIPv4(plain) || !isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const first = head ? head.split(':') : []
  const last = tail ? tail.split(':') : []
  const groups = tail === undefined ? first : [...first, ...Array(8 - first.length - last.length).fill('0'), ...last]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
