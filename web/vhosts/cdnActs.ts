import type { Vhost } from '@innkeeper/contract/vhosts'
import { confirm, confirmByName } from '../kit/dialogs.ts'
import { toast } from '../kit/toast.ts'
import { attempt } from '../websites/attempt.ts'
import { vhostsApi } from './api.ts'

export const domains = ['vhosts', 'websites', 'workflows'] as const

/** Why nothing can be changed now; undefined when it can. */
export const notChangeable = ({ domain, status }: Vhost): string | undefined =>
  status === 'active' ? undefined : `${domain} is ${status === 'creating' ? 'coming behind' : 'leaving'} its edges.`

export async function turnCdnOff({ id, domain, version }: Vhost): Promise<void> {
  const sure = await confirm({
    title: `Keep no pages of ${domain}?`,
    text: 'Its edges hand every visitor on to its own server, and forget what they have kept.',
    verb: 'Turn CDN off',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(() => vhostsApi.disableCdn({ id, version }), domains)
  if (begun) toast.info(`Turning the CDN of ${domain} off`)
}

export async function turnXdn({ id, domain, xdn, version }: Vhost): Promise<void> {
  if (xdn) {
    const sure = await confirm({
      title: `Take ${domain} from the XDN?`,
      text: 'Whoever DNS still sends to that edge gets no answer there.',
      verb: 'Turn XDN off',
      danger: true,
    })
    if (!sure) return
  }
  const begun = await attempt(
    () => (xdn ? vhostsApi.disableXdn({ id, version }) : vhostsApi.enableXdn({ id, version })),
    domains,
  )
  if (begun) toast.info(xdn ? `Taking ${domain} from the XDN` : `Putting ${domain} on the XDN`)
}

/** Asks for the name; answers whether it was begun. */
export async function remove({ id, domain, edges, version }: Vhost): Promise<boolean> {
  const names = edges.map(({ serverName }) => serverName).join(' and ')
  const sure = await confirmByName({
    title: `Take ${domain} from its edges?`,
    name: domain,
    verb: 'Take from its edges',
    goes: [`Its place on ${names}`, 'All pages of it that are kept there'],
    stays: `The website itself. DNS has to send visitors to its own server first: ${names} will not answer for it.`,
  })
  if (!sure) return false
  const begun = await attempt(() => vhostsApi.remove({ id, version }), domains)
  if (begun) toast.info(`Taking ${domain} from its edges`)
  return begun !== undefined
}
