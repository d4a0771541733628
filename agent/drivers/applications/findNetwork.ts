import { dirname } from 'node:path'
import type { Driver } from '../../kit/driver.ts'
import { ownerOf } from '../files/tree.ts'
import { askRows, named } from '../mariadb/mariadbAsk.ts'
import { phpValue } from './knownConfigs.ts'
import { contentOf } from './siteConfig.ts'

const MOST = 50

/** Names the websites of a network of WordPress, as its configuration and database say. */
export const findNetwork: Driver<'website-network.find'> = {
  async run({ input }) {
    const as = await ownerOf(input)
    const config =
      (await contentOf(`${input.path}/wp-config.php`, as)) ??
      (await contentOf(`${dirname(input.path)}/wp-config.php`, as)) ??
      ''
    const [database, prefix] = [phpValue(config, 'DB_NAME'), phpValue(config, '$table_prefix')]
    if (!database || !prefix) throw new Error('wp-config.php does not name the tables of the network')
    const sites = await askRows<{ host: string; path: string }>(
      `select json_object('host', domain, 'path', path) from ${named(database)}.${named(`${prefix}blogs`)}
        where deleted = 0 and spam = 0 and archived = '0' order by blog_id limit ${MOST};`,
    )
    return { sites }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}
