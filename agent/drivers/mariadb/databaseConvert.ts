import type { Driver } from '../../kit/driver.ts'
import { exclusive, notes } from '../../kit/host.ts'
import { ask, askRows, named, quoted, type Shape, shapeOf } from './mariadbAsk.ts'

type Collations = Record<string, string>

/**
 * Changes the character set of a database, and of its tables on request. MariaDB refuses characters that the new
 * character set lacks; the table then stays as it is. Undo converts back.
 */
export const convertDatabase: Driver<'database.convert'> = {
  run: (c) =>
    exclusive(`database ${c.input.name}`, async () => {
      const { name, charset, collation, existing } = c.input
      const now = await shapeOf(name)
      if (!now) throw new Error(`there is no database ${name} on this server`)
      const collations = existing ? await collationsOf(name) : {}
      if (!(await notes.find('database-convert', `${c.actionId}`)))
        await notes.keep('database-convert', `${c.actionId}`, c.actionId, {
          ...now,
          tables: JSON.stringify(collations),
        })
      c.fence()
      await ask(altering(name, { charset, collation }))
      const others = Object.entries(collations).flatMap(([table, is]) => (is === collation ? [] : table))
      for (const table of others) {
        c.fence()
        await convertTable(name, table, collation)
        c.say(`${table} has ${collation}`)
      }
      c.say(`${name} has ${collation}${existing ? `, with ${others.length} tables` : ', for new tables'}`)
    }),
  undo: (c) =>
    exclusive(`database ${c.input.name}`, async () => {
      const { name } = c.input
      const note = await notes.find('database-convert', `${c.actionId}`)
      if (!note) return c.say(`${name} was not changed by this action`)
      const { charset = '', collation = '', tables = '{}' } = note.about
      const before = JSON.parse(tables) as Collations // written by run
      const now = await collationsOf(name)
      c.fence()
      await ask(altering(name, { charset, collation }))
      for (const [table, was] of Object.entries(before))
        if (now[table] && now[table] !== was) await convertTable(name, table, was)
      await notes.drop('database-convert', `${c.actionId}`)
      c.say(`${name} has ${collation}, as before`)
    }),
  async inspect({ input: { name, collation, existing }, task, actionId }) {
    if (task === 'undo') return (await notes.find('database-convert', `${actionId}`)) ? 'no' : 'yes'
    if ((await shapeOf(name))?.collation !== collation) return 'no'
    return existing && Object.values(await collationsOf(name)).some((is) => is !== collation) ? 'no' : 'yes'
  },
}

const altering = (name: string, { charset, collation }: Shape) =>
  `alter database ${named(name)} character set ${charset} collate ${collation};`

/** Strict, so that MariaDB reports lost characters instead of writing question marks. */
const convertTable = (name: string, table: string, collation: string) =>
  ask(
    `set session sql_mode = 'STRICT_ALL_TABLES'; set session foreign_key_checks = 0; set session lock_wait_timeout = 60;
    alter table ${named(name)}.${named(table)} convert to character set ${collation.split('_')[0]} collate ${collation};`,
  )

async function collationsOf(name: string): Promise<Collations> {
  const found = await askRows<{ name: string; collation: string }>(
    `select json_object('name', table_name, 'collation', table_collation) from information_schema.tables
      where table_schema = ${quoted(name)} and table_type in ('BASE TABLE', 'SYSTEM VERSIONED')
      and table_collation is not null order by table_name;`,
  )
  return Object.fromEntries(found.map((one) => [one.name, one.collation]))
}
