import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Vhost } from '@innkeeper/contract/net/vhosts/shapes'
import { attempt } from '../../../kit/api/attempt.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { confirm, confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { vhostsApi } from '../api.ts'

export const domains = ['vhosts', 'websites', 'workflows'] as const

/** Why an edge cannot be changed now; undefined if it can. */
export const notChangeable = ({ domain, status }: Vhost): string | undefined =>
  status === 'active' ? undefined : `${domain} is ${status === 'creating' ? 'coming behind' : 'leaving'} its edges.`

/** Refreshes the open screens. */
export const reread = () => {
  void readAgain(domains)
}

export type EdgeRequest = Parameters<typeof vhostsApi.diff>[0]
/** A change without fields, with the texts of its dialog. */
export interface Turn {
  title: string
  text: string
  verb: string
  danger?: true
  requested: EdgeRequest
  act: () => Promise<unknown>
  /** Notice after the change has started. */
  said: string
}

export const cdnOff = ({ id, domain, version }: Vhost): Turn => ({
  title: `Keep no pages of ${domain}?`,
  text: 'Its edges pass every request on to its own server and clear their cached pages.',
  verb: 'Turn CDN off',
  danger: true,
  requested: { id, cdn: false },
  act: () => vhostsApi.disableCdn({ id, version }),
  said: `Turning the CDN of ${domain} off`,
})

export const xdnOn = ({ id, domain, version }: Vhost): Turn => ({
  title: `Put ${domain} on the XDN?`,
  text: 'An edge of the second network answers for it too. Visitors reach that edge once DNS sends them there.',
  verb: 'Turn XDN on',
  requested: { id, xdn: true },
  act: () => vhostsApi.enableXdn({ id, version }),
  said: `Putting ${domain} on the XDN`,
})

export const putBehind = ({ id: websiteId, domain }: Pick<Website, 'id' | 'domain'>): Turn => ({
  title: `Put ${domain} behind an edge?`,
  text: 'The edge caches the answers of the website. Visitors reach the edge once DNS sends them there.',
  verb: 'Put behind an edge',
  requested: { websiteId },
  act: () => vhostsApi.create({ websiteId }),
  said: `Putting ${domain} behind an edge`,
})

export async function turnXdnOff({ id, domain, version }: Vhost): Promise<void> {
  const sure = await confirm({
    title: `Take ${domain} from the XDN?`,
    text: 'Visitors whom DNS still sends to that edge get no answer.',
    verb: 'Turn XDN off',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(() => vhostsApi.disableXdn({ id, version }), domains)
  if (begun) toast.info(`Taking ${domain} from the XDN`)
}

/** Asks for the website's name. Returns whether the removal has started. */
export async function remove({ id, domain, edges, version }: Vhost): Promise<boolean> {
  const names = edges.map(({ serverName }) => serverName).join(' and ')
  const sure = await confirmByName({
    title: `Take ${domain} from its edges?`,
    name: domain,
    verb: 'Take from its edges',
    goes: [`Its configuration on ${names}`, 'All its pages that are cached there'],
    stays: `The website itself. DNS has to send visitors to its own server first: ${names} will not answer for it.`,
  })
  if (!sure) return false
  const begun = await attempt(() => vhostsApi.remove({ id, version }), domains)
  if (begun) toast.info(`Taking ${domain} from its edges`)
  return begun !== undefined
}
