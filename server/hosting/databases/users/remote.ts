import { readNetwork } from '@innkeeper/contract/machines/ipsets/networks'
import { refused } from '../../../kit/http/errors.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { packagesEnsure } from '../../../machines/servers/actions.ts'

/** Shortest prefix lengths of networks that may reach a database. A wider network is too large to be one client's. */
const WIDEST = { 4: 16, 6: 64 } as const
/** Addresses without remote clients: the machine itself, link-local, multicast and reserved addresses. */
const NOBODY = /^(?:0|127|22[4-9]|23\d|24\d|25[0-5])\.|^169\.254\.|^::1?$|^fe[89ab].?:|^ff..?:/

/** The host of an account in canonical form. 422 beside the field for a network that is too wide or has no clients. */
export function namedHost(host: string): string {
  if (host === 'localhost') return host
  const network = readNetwork(host)
  if (!network) throw refused(`${host} is not an address`, { host: 'An IP address or network' })
  if (network.prefix > 0 && NOBODY.test(network.text))
    throw refused(`Nobody connects from ${host}: an account of the server itself has localhost`, {
      host: 'Nobody connects from there: use localhost for the server itself',
    })
  if (network.prefix < WIDEST[network.family])
    throw refused(`The network ${host} is too large for remote access`, {
      host: `At most a /${WIDEST[network.family]} network`,
    })
  return network.text
}

export const isRemote = ({ host }: { host: string }) => host !== 'localhost'

/** Steps that install the firewall on a server with a remote account; none if all accounts are local. */
export const firewallSteps = (server: { id: number; name: string }, accounts: { host: string }[]): PlanStep[] =>
  accounts.some(isRemote)
    ? [
        step(
          packagesEnsure,
          { packages: ['nftables'] },
          { server: server.id, resource: { type: 'firewall', id: server.id, name: server.name } },
        ),
      ]
    : []
