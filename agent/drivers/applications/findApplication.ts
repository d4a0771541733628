import { basename, dirname } from 'node:path'
import type { Application } from '@innkeeper/contract/net/originVhosts/applications'
import type { Driver } from '../../kit/driver.ts'
import { run } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'
import { ownerOf, type Place } from '../files/tree.ts'
import { contentOf } from './siteConfig.ts'

/** Files by which an application is known, below the document root; `../` beside the document root. The first that lies there counts. */
const signs: readonly [Application, readonly string[]][] = [
  ['wordpress', ['wp-load.php', 'wp-includes/version.php']],
  ['nextcloud', ['occ', 'status.php', 'remote.php']],
  ['mediawiki', ['load.php', 'includes/Setup.php']],
  ['mediawiki', ['load.php', 'includes/WebStart.php']],
  ['drupal', ['core/lib/Drupal.php']],
  ['drupal', ['includes/bootstrap.inc', 'misc/drupal.js']],
  ['joomla', ['administrator/index.php', 'libraries/bootstrap.php']],
  ['joomla', ['administrator/index.php', 'libraries/loader.php']],
  ['laravel', ['../artisan', 'index.php']],
]
const files = [...new Set(signs.flatMap(([, names]) => names))]

/** Says of each folder which application lies there, as the account sees the folder. A folder that cannot be read has none. */
export const findApplications: Driver<'website-applications.find'> = {
  async run({ input: { sites } }) {
    const found: { id: number; application: Application | null }[] = []
    for (const { id, ...place } of sites)
      found.push({ id, application: (await applicationIn(place).catch(() => undefined)) ?? null })
    return { found }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

async function applicationIn(place: Place): Promise<Application | undefined> {
  const as = await ownerOf(place)
  const pathOf = (name: string) =>
    name.startsWith('../') ? `${dirname(place.path)}/${basename(name)}` : `${place.path}/${name}`
  // find reports absent files on its other output, and answers 1
  const { stdout } = await run(['find', ...files.map(pathOf), '-maxdepth', '0', '-type', 'f', '-printf', '%p\\0'], {
    as,
  })
  const there = new Set(stdout.split('\0'))
  const [application] = signs.find(([, names]) => names.every((name) => there.has(pathOf(name)))) ?? []
  return application === 'wordpress' ? kindOfWordPress(place, as) : application
}

/** A network of WordPress says so in its configuration, which may lie beside the document root. */
async function kindOfWordPress({ path }: Place, as: Account): Promise<Application> {
  const config =
    (await contentOf(`${path}/wp-config.php`, as)) ?? (await contentOf(`${dirname(path)}/wp-config.php`, as)) ?? ''
  if (!isSet(config, 'MULTISITE')) return 'wordpress'
  return isSet(config, 'SUBDOMAIN_INSTALL') ? 'wordpress-names' : 'wordpress-folders'
}

const isSet = (config: string, name: string) =>
  new RegExp(`^[ \\t]*define[ \\t]*\\([ \\t]*['"]${name}['"][ \\t]*,[ \\t]*(?:true|1)[ \\t]*\\)`, 'im').test(config)
