import type { Driver } from '../../kit/driver.ts'
import { exclusive, must, notes, read, remove, replace, spooled } from '../../kit/host.ts'
import { definitionsOf } from './dump.ts'
import { ask, askRows, client, create, named, quoted, type Shape, shapeOf } from './mariadbAsk.ts'

/** Renames a database, which MariaDB cannot do itself. Undo renames it back. */
export const renameDatabase: Driver<'database.rename'> = {
  run: (c) =>
    exclusive(`database ${c.input.name}`, async () => {
      const { name, newName: to } = c.input
      const note = await notes.find('database-rename', `${c.actionId}`)
      const shape = note ? (note.about as unknown as Shape) : await shapeOf(name)
      if (!shape) throw new Error(`there is no database ${name} on this server`)
      const file = await spooled(`definitions-${c.actionId}.sql.gz`)
      if (!note) {
        if (await shapeOf(to)) throw new Error(`${to} exists already on this server`)
        await replace(file, await definitionsOf(name), { mode: 0o600 })
        c.fence()
        await notes.keep('database-rename', `${c.actionId}`, c.actionId, { ...shape })
      }
      const definitions = (await read(file)) ?? ''
      c.fence()
      await moveContents(name, to, shape, definitions)
      c.say(`${name} is ${to} now`)
      if (naming(definitions, name))
        c.say(`views, triggers, routines or events name ${name} in their text: change them`)
    }),
  undo: (c) =>
    exclusive(`database ${c.input.name}`, async () => {
      const { name, newName: to } = c.input
      const note = await notes.find('database-rename', `${c.actionId}`)
      const file = await spooled(`definitions-${c.actionId}.sql.gz`)
      if (!note) {
        await remove(file) // a run that ended before its note
        return c.say(`${name} was not renamed by this action`)
      }
      // complete: the definitions may have changed since
      if (!(await shapeOf(name))) await replace(file, await definitionsOf(to), { mode: 0o600 })
      c.fence()
      await moveContents(to, name, note.about as unknown as Shape, (await read(file)) ?? '')
      await notes.drop('database-rename', `${c.actionId}`)
      await remove(file)
      c.say(`${name} has its former name`)
    }),
  async inspect({ input: { name, newName: to }, task, actionId }) {
    if (task === 'undo') return (await notes.find('database-rename', `${actionId}`)) ? 'no' : 'yes'
    return (await shapeOf(to)) && !(await shapeOf(name)) ? 'yes' : 'no'
  },
}

const naming = (definitions: string, name: string) => new RegExp(`(?:\`${name}\`|\\b${name})\\.`).test(definitions)

/**
 * Moves all tables from one database into another, creates the `definitions` there and drops the emptied database. Can
 * be repeated after a crash at any point. Waits a minute for open transactions, then fails and leaves all as it was.
 */
export async function moveContents(from: string, to: string, shape: Shape, definitions: string): Promise<void> {
  if (!(await shapeOf(from))) return
  if (!(await shapeOf(to))) await ask(create(to, shape))
  const tables = await baseTables(from)
  if (tables.length) {
    // a table with triggers cannot change its database
    const triggers = await askRows<{ name: string }>(
      `select json_object('name', trigger_name) from information_schema.triggers where trigger_schema = ${quoted(from)};`,
    )
    const moves = tables.map((table) => `${named(from)}.${named(table)} to ${named(to)}.${named(table)}`)
    try {
      await ask(
        `set session lock_wait_timeout = 60;
        ${triggers.map(({ name }) => `drop trigger if exists ${named(from)}.${named(name)};`).join('\n')}
        rename table ${moves.join(', ')};`,
      )
    } catch (error) {
      if (triggers.length) await createIn(from, definitions)
      throw error
    }
  }
  await createIn(to, definitions)
  if ((await baseTables(from)).length) throw new Error(`${from} got new tables meanwhile: try again`)
  await ask(`drop database if exists ${named(from)};`)
}

/** Tables of every kind, with sequences and system-versioned tables, without views. */
const baseTables = async (name: string) =>
  (
    await askRows<{ name: string }>(
      `select json_object('name', table_name) from information_schema.tables
        where table_schema = ${quoted(name)} and table_type not like '%VIEW' order by table_name;`,
    )
  ).map((one) => one.name)

const createIn = (name: string, definitions: string) =>
  // binary mode: no client command such as `system` is read from the text
  must([...client, '--binary-mode', '--default-character-set=utf8mb4', `--database=${name}`], {
    input: definitions,
  })
