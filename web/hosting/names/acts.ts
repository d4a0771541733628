import type { SiteName } from '@innkeeper/contract/hosting/names/shapes'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm, confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { websitesApi } from '../websites/api.ts'
import { namesApi } from './api.ts'

export const domains = ['websites', 'workflows'] as const

/** Why the name cannot be changed now; undefined if it can. */
export function notChangeable({ name, status }: SiteName): string | undefined {
  if (status === 'active') return undefined
  return status === 'suspended' ? `${name} is suspended: activate its website first.` : `${name} is ${status} now.`
}

export async function setMode({ websiteId, name, version }: SiteName, mode: 'serve' | 'redirect'): Promise<void> {
  if (websiteId === null) return
  const begun = await attempt(() => namesApi.setAlias({ id: websiteId, mode, version }), domains)
  if (begun) toast.info(`Changing ${name}`, 'The change applies as soon as its server has finished.')
}

/** Removes an alias or former name for good; such a name has no data to keep. */
export async function removeName(of: SiteName, domain: string): Promise<void> {
  const { websiteId, name, kind, version } = of
  if (websiteId === null) return
  const sure = await confirm({
    title: kind === 'old' ? `End ${name} now?` : `Remove ${name}?`,
    text:
      kind === 'old'
        ? `Visitors of ${domain} under this name get no answer any more, and its old folder path is removed too.`
        : `${domain} no longer answers to this name. The website and its files stay unchanged.`,
    verb: kind === 'old' ? 'End name' : 'Remove name',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(() => websitesApi.remove({ id: websiteId, version }), domains)
  if (begun) toast.info(`${kind === 'old' ? 'Ending' : 'Removing'} ${name}`)
}

/** Moves a sub-website and its folder to the trash. */
export async function removeSub(of: SiteName, domain: string): Promise<void> {
  const { websiteId, name, documentRoot, version } = of
  if (websiteId === null) return
  const own = documentRoot?.endsWith(`/${name}/public`)
  const sure = await confirmByName({
    title: `Delete ${name}?`,
    name,
    verb: 'Delete sub-website',
    goes: [`The site itself: ${name} is not served any more`, ...(own ? [`Its folder ${documentRoot}`] : [])],
    stays: own
      ? 'All of it is kept in the trash of its server and can be restored for a while.'
      : `The alias shares the files of ${domain}, which stay unchanged.`,
  })
  if (!sure) return
  const begun = await attempt(() => websitesApi.remove({ id: websiteId, version }), domains)
  if (begun) toast.info(`Deleting ${name}`)
}
