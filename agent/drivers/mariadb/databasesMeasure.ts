import type { Driver } from '../../kit/driver.ts'
import { must } from '../../kit/host.ts'
import { ask, askRows } from './mariadbAsk.ts'

const own = ['mysql', 'sys', 'information_schema', 'performance_schema']

/** Bytes on disk of every database: one walk of the data folder, so that 10,000 databases cost no query each. */
export const measureDatabases: Driver<'databases.measure'> = {
  async run() {
    const known = await askRows<{ name: string }>(
      `select json_object('name', schema_name) from information_schema.schemata;`,
    )
    const folder = (await ask('select @@datadir;')).trim().replace(/\/$/, '')
    const said = await must(['du', '--block-size=1', '--max-depth=1', '--one-file-system', '--', folder])
    const bytes = new Map(
      said.split('\n').flatMap((line) => {
        const [size = '', path = ''] = line.split('\t')
        return path.startsWith(`${folder}/`) ? [[path.slice(folder.length + 1), Number(size)] as const] : []
      }),
    )
    const databases = known
      .filter(({ name }) => !own.includes(name))
      .map(({ name }) => ({ name, bytes: bytes.get(folderOf(name)) ?? 0 }))
    return { databases }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** MariaDB writes characters other than letters, digits and _ as `@002d` in the names of folders. */
const folderOf = (name: string) =>
  name.replace(/[^A-Za-z0-9_]/g, (one) => `@${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
