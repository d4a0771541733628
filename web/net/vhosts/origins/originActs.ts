import type { OriginVhost } from '@innkeeper/contract/net/originVhosts/shapes'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { originVhostsApi } from '../api.ts'
import { inWords } from '../words.ts'

const domains = ['originVhosts', 'websites', 'workflows'] as const

/** Why a vhost cannot be changed now; undefined if it can. */
export const notChangeable = ({ domain, status }: OriginVhost): string | undefined =>
  status === 'active' || status === 'suspended' ? undefined : `${domain} is ${status} now. Wait for it.`

/** Why there are no own settings to remove. */
export const nothingOwn = ({ domain, own }: OriginVhost): string | undefined =>
  own ? undefined : `${domain} has no settings of its own.`

export async function setWildcard({ id, domain, wildcard, version }: OriginVhost): Promise<void> {
  const sure = await confirm({
    title: wildcard ? `Stop serving *.${domain}?` : `Serve *.${domain}?`,
    text: wildcard
      ? `Names below ${domain} without a website of their own are no longer served.`
      : `Every name below ${domain} that is no website of its own shows this website, if DNS leads that name here.`,
    verb: wildcard ? 'Turn wildcard off' : 'Turn wildcard on',
    danger: wildcard,
  })
  if (!sure) return
  const begun = await attempt(() => originVhostsApi.wildcard({ id, wildcard: !wildcard, version }), domains)
  if (begun) toast.info(`${wildcard ? 'Taking' : 'Adding'} *.${domain}`)
}

export async function reset({ id, domain, phpParameters, version }: OriginVhost): Promise<void> {
  const sure = await confirm({
    title: `Remove the settings of ${domain}?`,
    text: `The website returns to the PHP of its account and loses ${inWords(phpParameters)}.`,
    verb: 'Take away',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(() => originVhostsApi.remove({ id, version }), domains)
  if (begun) toast.info(`${domain} goes back to the PHP of its account`)
}
