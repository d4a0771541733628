import { siteConfigAdapt } from '../../../hosting/databases/actions.ts'
import { onSite, type Site } from '../../../hosting/websites/siteSteps.ts'
import { type PlanStep, secret, step } from '../../../kit/work/action.ts'
import type { Configuration } from '../configuration.ts'
import type { Loading } from './target.ts'

/**
 * Restored configuration files name the databases, accounts and passwords at the time of the backup. In the website of
 * the backup, only files with a former or present account change. In another website, each file that names a former
 * database changes, because it would otherwise use the data of the first website. A website of another name gets its
 * own address, and the paths of its own folder.
 */
export function adapting(
  site: Site,
  place: { username: string; path: string },
  then: Configuration,
  loading: readonly Loading[],
): PlanStep[] {
  const same = then.website.websiteId === site.id
  const databases = loading.flatMap(({ was, name, account }) => {
    // a reference: the password is inserted when the agent claims the action
    const now = { was, name, user: account.username, password: secret(account.secret) as unknown as string }
    if (!same) return [now]
    const users = then.databases.find((one) => one.name === was)?.users ?? []
    return [...new Set([account.username, ...users])].map((wasUser) => ({ ...now, wasUser }))
  })
  if (!databases.length) return []
  const names = then.website.domain === site.domain ? {} : { names: { from: then.website.domain, to: site.domain } }
  const { username, path } = then.website
  const from = path === place.path ? {} : { from: { username, path } }
  const input = { ...place, databases: databases.slice(0, 50), ...names, ...from }
  return [step(siteConfigAdapt, input, onSite(site, 'site-config'))]
}
