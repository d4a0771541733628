import { type PlanStep, step } from '../../kit/work/action.ts'
import { documentRootLink, documentRootUnlink } from './actions.ts'
import type { Site } from './siteSteps.ts'
import { onSite } from './siteSteps.ts'

/** Document root of a website with a folder of its own. */
export const rootPath = (username: string, domain: string) => `/home/${username}/${domain}/public`
export const hasOwnFolder = ({ documentRoot, domain, systemUser }: Site) =>
  documentRoot === rootPath(systemUser.username, domain)
export const rootOf = ({ systemUser: { username }, documentRoot, domain }: Site) => ({
  username,
  path: documentRoot,
  domain,
})
/** Folder around the document root; the document root itself if it is in the folder of another website. */
export const folderOf = (site: Site) =>
  hasOwnFolder(site) ? site.documentRoot.slice(0, -'/public'.length) : site.documentRoot

/**
 * A path as people type it, within the home folder of the website's account; undefined if the path is of another account.
 * Everywhere, such a path counts from the folder of the website.
 */
export function withinHome(site: Site, typed: string): string | undefined {
  const home = `/home/${site.systemUser.username}/`
  const whole = typed.startsWith('/') ? typed : `${folderOf(site)}/${typed}`
  return whole.startsWith(home) ? whole.slice(home.length) : undefined
}

/**
 * Step that links the folder of a former name to the website's folder, on a server that the website moved to after the
 * rename.
 */
export const linking = (site: Site, oldDomain: string): PlanStep[] =>
  hasOwnFolder(site)
    ? [
        step(
          documentRootLink,
          {
            username: site.systemUser.username,
            path: rootPath(site.systemUser.username, oldDomain),
            domain: oldDomain,
            to: site.domain,
          },
          onSite(site, 'former-folder'),
        ),
      ]
    : []

/** Removes the symlink from the folder of a former name to the website's folder. */
export const unlinking = (site: Site, oldDomain: string): PlanStep[] =>
  hasOwnFolder(site)
    ? [
        step(
          documentRootUnlink,
          {
            username: site.systemUser.username,
            path: rootPath(site.systemUser.username, oldDomain),
            domain: oldDomain,
          },
          onSite(site, 'document-root'),
        ),
      ]
    : []
