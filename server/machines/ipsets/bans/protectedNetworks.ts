import { lookup } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { bitsOf, holds, type Network, readNetwork } from '@innkeeper/contract/machines/ipsets/networks'
import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { stored } from '../publications/segments.ts'

/** The widest prefixes that may be banned: a wider one is a whole country, or a typing mistake. */
const WIDEST = { 4: 12, 6: 28 } as const

/** Networks that no visitor uses, or that a machine needs. */
const never = (
  [
    ['127.0.0.0/8', 'the machine itself'],
    ['::1', 'the machine itself'],
    ['0.0.0.0/8', 'the unspecified network'],
    ['::', 'the unspecified address'],
    ['169.254.0.0/16', 'link-local: machines in one network use these addresses'],
    ['fe80::/10', 'link-local: IPv6 needs these addresses to find its neighbours'],
    ['224.0.0.0/4', 'multicast, which nobody sends from'],
    ['ff00::/8', 'multicast, which nobody sends from'],
    ['255.255.255.255', 'broadcast, which nobody sends from'],
  ] as const
).map(([text, why]) => ({ network: stored(text), text, why }))

/** Networks that must not be banned, each with its reason; read once per call. */
export interface Guard {
  /** Why this network may not be banned; undefined if it may. */
  against(network: Network): string | undefined
}

/**
 * Protects against locking out people and servers: the caller, everybody who is signed in, this control plane, all
 * servers with every address that their agents report, the name servers, and reserved networks.
 */
export async function readGuard(
  db: Db,
  app: Pick<App, 'settings' | 'guardedAddresses'>,
  asker: string,
): Promise<Guard> {
  const own = [...new Set(Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address)))]
  const known: [text: string, why: string][] = [
    [asker, 'the address that you are signed in from'],
    ...own.map((address): [string, string] => [address, 'an address of Innkeeper itself']),
    ...(await addressesOf(app.settings.publicHost)).map((address): [string, string] => [
      address,
      'the address of Innkeeper itself',
    ]),
    ...(await machinesOf(db)),
    ...(await app.guardedAddresses(db)),
    ...(await signedInOf(db)),
  ]
  const guarded = known.flatMap(([text, why]) => {
    const network = readNetwork(text.replace(/%.*$/s, ''))
    return network ? [{ network, why }] : []
  })
  const single = new Map(guarded.toReversed().map((one) => [one.network.text, one]))
  return {
    against(network) {
      const meets = never.find((other) => holds(other.network, network) || holds(network, other.network))
      const wide = network.prefix < WIDEST[network.family]
      if (wide) return `Too wide: the widest IPv${network.family} network is /${WIDEST[network.family]}`
      if (meets) return said(network, meets.text, meets.why)
      // a lookup by text, because an import checks tens of thousands of addresses
      const isOne = network.prefix === bitsOf(network.family)
      const met = isOne ? single.get(network.text) : guarded.find((one) => holds(network, one.network))
      return met && said(network, met.network.text, met.why)
    },
  }
}

const said = (network: Network, text: string, why: string) =>
  network.text === text ? `${text} is ${why}` : `${network.text} overlaps ${text}, ${why}`

/** The addresses of a host name under which servers reach this control plane. */
const addressesOf = async (host: string | undefined): Promise<string[]> =>
  host
    ? (await lookup(host, { all: true }).catch(() => [])) // an unknown name: no server can use it to reach Innkeeper
        .map(({ address }) => address)
    : []

const signedInOf = async (db: Db): Promise<[string, string][]> =>
  (
    await rows<{ ip: string; name: string }>(
      db,
      sql`select distinct on (s.ip) s.ip, ${personName('u')} as name from sessions s
        join users u on u.user_id = s.user_id
        where s.revoked_at is null and s.expires_at > now() and s.ip is not null order by s.ip`,
    )
  ).map(({ ip, name }) => [ip, `where ${name.trim()} is signed in from`])

const machinesOf = async (db: Db): Promise<[string, string][]> =>
  (
    await rows<{ address: string; name: string; type: string }>(
      db,
      sql`select a.address, s.name, s.type from servers s left join server_states t on t.server_id = s.server_id
        cross join lateral unnest(array_append(coalesce(t.addresses, '{}'), s.address)) as a(address)
        where s.deleted_at is null and a.address is not null`,
    )
  ).map(({ address, name, type }) => [address, `${type === 'dns' ? 'the name server' : 'the server'} ${name}`])
