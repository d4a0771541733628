import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirm, confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { namesApi } from '../../names/api.ts'
import { websitesApi } from '../api.ts'

const domains = ['websites', 'workflows'] as const

/** Why a website cannot be suspended or resumed now; undefined if it can. */
export function notSwitchable({ domain, status, kind, parentDomain }: WebsiteRow): string | undefined {
  if (kind === 'alias') return `${domain} is a name of ${parentDomain}: it changes with that website.`
  if (status === 'active' || status === 'suspended') return undefined
  if (status === 'failed') return `${domain} has failed: retry or delete it.`
  if (status === 'deleted') return `${domain} is in the trash: restore it first.`
  return `${domain} is ${status} now. Wait for it.`
}

/** The websites among these that can be suspended or activated now. */
export const switchableTo = (status: 'suspended' | 'active', websites: readonly WebsiteRow[]): WebsiteRow[] =>
  websites.filter((website) => !notSwitchable(website) && (website.status === 'suspended') === (status === 'active'))

/** Asks for a reason, which the action log records. Returns whether the suspension started. */
export async function suspend({ id, domain, version }: WebsiteRow): Promise<boolean> {
  const answer = await confirm({
    title: `Suspend ${domain}?`,
    text: 'Visitors get an answer 503 until it is activated again. Files, mail and databases stay unchanged.',
    verb: 'Suspend website',
    reason: { label: 'Reason' },
  })
  if (!answer) return false
  const reason = answer.reason || undefined
  const begun = await attempt(() => websitesApi.status({ id, status: 'suspended', reason, version }), domains)
  if (begun) toast.info(`Suspending ${domain}`, 'The website answers 503 as soon as its server has finished.')
  return begun !== undefined
}

export async function activate({ id, domain, version }: WebsiteRow): Promise<boolean> {
  const begun = await attempt(() => websitesApi.status({ id, status: 'active', version }), domains)
  if (begun) toast.info(`Activating ${domain}`, 'The website is served as soon as its server has finished.')
  return begun !== undefined
}

export async function retry({ id, domain }: WebsiteRow): Promise<boolean> {
  const begun = await attempt(() => websitesApi.retry({ id }), domains)
  if (begun) toast.info(`Retrying ${domain}`, 'The workflow continues where it stopped.')
  return begun !== undefined
}

/** Asks for the name and returns the id of the deleting workflow. */
export async function remove(website: WebsiteRow): Promise<number | undefined> {
  const { id, domain, kind, username, serverName, version } = website
  const below = await belongings(website)
  if (!below) return undefined // no deletion without a list of its consequences
  const sure = await confirmByName({
    title: `Delete ${domain}?`,
    name: domain,
    verb: 'Delete website',
    goes: [
      `The site itself: ${domain} is not served any more`,
      ...below,
      ...(kind === 'alias' ? [] : ['Its databases and its cache, if it has any']),
      ...(kind === 'main' ? [`The account ${username} with its PHP pool, if no other website is left on it`] : []),
    ],
    stays:
      kind === 'alias'
        ? `${website.parentDomain} itself stays unchanged.`
        : `All of it is kept in the trash of ${serverName} and can be restored for a while. The log keeps what was done.`,
  })
  if (!sure) return undefined
  const begun = await attempt(() => websitesApi.remove({ id, version }), domains)
  if (begun) toast.info(`Deleting ${domain}`)
  return begun?.workflowId
}

/** Objects that are deleted with the website, in words. On an error, shows the error and returns undefined. */
async function belongings({ id, domain, kind, username, serverName }: WebsiteRow): Promise<string[] | undefined> {
  const found = await attempt(() => Promise.all([namesApi.ofWebsite({ id }), websitesApi.one({ id })]), [])
  if (!found) return undefined
  const [{ items }, { documentRoot }] = found
  const own = kind !== 'alias' && documentRoot === `/home/${username}/${domain}/public`
  const named = (kinds: string[]) => items.filter((one) => kinds.includes(one.kind)).map((one) => one.name)
  const some = ([first, ...more]: string[]) =>
    more.length > 4 ? `${first} and ${more.length} more` : [first, ...more].join(', ')
  const names = [
    ['Its aliases', named(['alias', 'old'])] as const,
    ['Its sub-websites', named(['sub'])] as const,
    ['Its staging copies', named(['staging'])] as const,
  ].flatMap(([what, found]) => (found.length ? [`${what}: ${some(found)}`] : []))
  return own ? [...names, `Its folder ${documentRoot} on ${serverName}`] : names
}

/** Returns whether the restore started. */
export async function restore({ id, domain, version }: WebsiteRow): Promise<boolean> {
  const begun = await attempt(() => websitesApi.restore({ id, version }), domains)
  if (begun) toast.info(`Restoring ${domain}`, 'Its files, account and logs are restored from the trash.')
  return begun !== undefined
}

/** Asks for the name. Returns whether the purge started. */
export async function purge(website: WebsiteRow): Promise<boolean> {
  const { id, domain, serverName, version } = website
  const sure = await confirmByName({
    title: `Delete ${domain} for good?`,
    name: domain,
    verb: 'Delete for good',
    goes: [`Everything of ${domain} in the trash of ${serverName}: files, logs, its account if nothing else is on it`],
    stays: 'The website cannot be restored afterwards. The action log keeps its history.',
  })
  if (!sure) return false
  const begun = await attempt(() => websitesApi.purge({ id, domain, version }), domains)
  if (begun) toast.info(`Deleting ${domain} for good`)
  return begun !== undefined
}

export async function movePhp(
  { id, domain, phpVersion: from, version }: WebsiteRow,
  phpVersion: string,
): Promise<void> {
  const sure = await confirm({
    title: `Move ${domain} to PHP ${phpVersion}?`,
    text: `The website runs on PHP ${from} now. An application that is not ready for ${phpVersion} may show errors; you can change back in the same way.`,
    verb: `Move to PHP ${phpVersion}`,
  })
  if (!sure) return
  const begun = await attempt(() => websitesApi.php({ id, phpVersion, version }), domains)
  if (begun) toast.info(`Moving ${domain} to PHP ${phpVersion}`)
}
