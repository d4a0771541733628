import { readNetwork } from '@innkeeper/contract/ipsets/networks'
import { refused } from '../../kit/http/errors.ts'
import { type PlanStep, step } from '../../kit/work/action.ts'
import { packagesEnsure } from '../../servers/actions.ts'

/** The widest networks that may reach a database: a wider one is no named place. */
const WIDEST = { 4: 16, 6: 64 } as const
/** Where nobody connects from: the machine itself, link-local, multicast and reserved addresses. */
const NOBODY = /^(?:0|127|22[4-9]|23\d|24\d|25[0-5])\.|^169\.254\.|^::1?$|^fe[89ab].?:|^ff..?:/

/** The host of an account in its canonical form. 422 beside the field for a network that is no named place. */
export function namedHost(host: string): string {
  if (host === 'localhost') return host
  const network = readNetwork(host)
  if (!network) throw refused(`${host} is no address`, { host: 'An IP address or network' })
  if (NOBODY.test(network.text))
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

/** The firewall of a server, before its first account from elsewhere. */
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
