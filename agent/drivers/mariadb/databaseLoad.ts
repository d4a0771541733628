import type { Driver } from '../../kit/driver.ts'
import { exclusive, notes, remove, spooled } from '../../kit/host.ts'
import { checkSum } from '../dumps/summing.ts'
import type { Load } from './databaseCopy.ts'
import { writeDump } from './dump.ts'
import { checkDump, loadDump, missingDefiners } from './loadDump.ts'
import { ask, create, named, shapeOf, tablesOf } from './mariadbAsk.ts'

/** Replaces the content of a database with that of a dump. Dumps the former content first, which undo loads. */
export const loadDatabase: Driver<'database.load'> = {
  run: (c) =>
    exclusive(`database ${c.input.name}`, async () => {
      const { name, file, definer, renew, whole } = c.input
      const some = c.input.tables !== undefined || (renew && !whole)
      const { definers, lacking } = await checked(c.input)
      const missing = definer ? [] : await missingDefiners(definers)
      if (missing.length)
        throw new Error(
          `${file} has views, triggers or routines that run as ${missing.join(', ')}, who ${missing.length > 1 ? 'are' : 'is'} not on this server: say who they are to run as`,
        )
      const shape = await shapeOf(name)
      if (!shape) throw new Error(`there is no database ${name} on this server`)
      if (!renew) await keepBefore(c)
      c.fence()
      if (some) await dropTables(name, lacking)
      else await ask(`drop database ${named(name)};\n${create(name, shape)}`)
      const rows = await loadDump(name, await spooled(file), definer)
      if (!renew)
        await notes.keep('database-load', `${c.actionId}`, c.actionId, { ...(await noteOf(c))?.about, loaded: 'yes' })
      if (c.input.spent) await remove(await spooled(file))
      const total = Object.values(rows).reduce((sum, one) => sum + one, 0)
      c.say(`${name} has ${total} rows in ${Object.keys(rows).length} tables, as the dump`)
      return { rows, definers: [...definers].sort(), ...(renew && { whole }) }
    }),
  undo: (c) =>
    exclusive(`database ${c.input.name}`, async () => {
      const { name } = c.input
      const note = await noteOf(c)
      if (!note) return c.say(c.input.renew ? `${name} was not changed` : `${name} was not touched`)
      const { charset, collation, before, tables } = note.about
      if (!charset || !collation) throw new Error(`the former character set of ${name} is unknown`)
      const were = before ? Object.keys((await checkDump(await spooled(before))).rows) : []
      c.fence()
      if (tables)
        await dropTables(
          name,
          (JSON.parse(tables) as string[]).filter((table) => !were.includes(table)),
        )
      else await ask(`drop database if exists ${named(name)};\n${create(name, { charset, collation })}`)
      if (before) await loadDump(name, await spooled(before))
      await notes.drop('database-load', `${c.actionId}`)
      c.say(before ? `${name} has its former content` : `${name} is empty, as it was before`)
    }),
  async inspect(c) {
    const note = await noteOf(c)
    if (c.task === 'undo') return note ? 'no' : 'yes'
    return note?.about.loaded ? 'yes' : 'no'
  },
}
/**
 * Checks before any change that the dump is complete and has the requested tables. Answers its definers and the tables
 * that it lacks.
 */
async function checked({ file, sha256, definers, tables, lacking }: Load['input']) {
  const path = await spooled(file)
  if (sha256 && definers && !tables) {
    await checkSum(path, sha256)
    return { definers, lacking: [] }
  }
  const dump = await checkDump(path, sha256)
  const absent = tables?.filter((table) => !(table in dump.rows)) ?? []
  if (absent.length && !lacking) throw new Error(`${file} lacks ${absent.join(', ')}`)
  const more = tables ? Object.keys(dump.rows).filter((table) => !tables.includes(table)) : []
  if (more.length) throw new Error(`${file} has more than was asked for: ${more.join(', ')}`)
  return { definers: dump.definers, lacking: absent }
}
/** Drops tables despite foreign keys that refer to them. */
const dropTables = async (name: string, tables: readonly string[]) =>
  tables.length &&
  ask(
    `set session foreign_key_checks = 0;
      drop table if exists ${tables.map((table) => `${named(name)}.${named(table)}`).join(', ')};`,
  )
const noteOf = ({ actionId }: Pick<Load, 'actionId'>) => notes.find('database-load', `${actionId}`)
/**
 * Dumps the former content once, before any change, so that a second attempt does not dump a partial load. Dumps only
 * the tables to load, if they are a selection: undo must not revert what visitors wrote in the others.
 */
async function keepBefore(c: Load): Promise<void> {
  if (await noteOf(c)) return
  const { name, tables, keep: before = `before-${c.actionId}.sql.gz` } = c.input
  const shape = await shapeOf(name)
  if (!shape) return
  const there = await tablesOf(name)
  const some = tables && there.filter((one) => !one.view && tables.includes(one.name)).map((one) => one.name)
  if (some || there.length) {
    const { bytes } = await writeDump(name, await spooled(before), some)
    c.say(
      `the former content of ${some ? `${some.length} tables of ` : ''}${name} is kept in ${before}: ${bytes} bytes`,
    )
  }
  await notes.keep('database-load', `${c.actionId}`, c.actionId, {
    ...shape,
    ...((some || there.length) && { before }),
    ...(tables && { tables: JSON.stringify(tables) }),
  })
}
