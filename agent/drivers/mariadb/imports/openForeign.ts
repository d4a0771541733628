import { openDump } from '../../dumps/reading.ts'
import { askRows } from '../mariadbAsk.ts'
import { foreignDump } from './foreignDump.ts'
import type { Server } from './rules.ts'

/** What the rules of an import need to know of this MariaDB. */
async function serverFacts(): Promise<Server> {
  const found = await askRows<{ name: string }>(
    `select json_object('name', full_collation_name) from information_schema.collation_character_set_applicability;`,
  )
  return { collations: new Set(found.map(({ name }) => name.toLowerCase())) }
}

/** Opens a dump for a database of this MariaDB. */
export const openForeign = async (
  path: string,
  mostBytes: number,
  say: (text: string) => void,
  readAs: readonly string[] = [],
) => openDump(path, foreignDump(await serverFacts(), readAs), { mostBytes, databases: '/var/lib/mysql' }, say)
