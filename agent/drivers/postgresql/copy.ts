import { existsSync } from 'node:fs'
import type { DatabaseMarks } from '@innkeeper/contract/agent/databases'
import type { Context, Driver } from '../../kit/driver.ts'
import { exclusive, notes, remove, spooled } from '../../kit/host.ts'
import { ask, reading, shapeOf, sumsOf, tablesOf } from './ask.ts'
import { checkDump, checkRoom, createDatabase, dropDatabase, loadDump, writeDump } from './dump.ts'
import { loadSome } from './someTables.ts'

async function marksOf(name: string): Promise<DatabaseMarks> {
  if (!(await shapeOf(name))) throw new Error(`there is no database ${name} on this server`)
  const at = Number((await ask(`select extract(epoch from now())::bigint;`)).trim())
  const sums = await sumsOf(
    name,
    (await tablesOf(name)).filter(({ view }) => !view),
  )
  const tables = Object.fromEntries(Object.entries(sums).map(([table, sum]) => [table, { number: null, sum }]))
  return { at, shape: null, tables }
}

export const markDatabase: Driver<'database.marks'> = {
  async run({ input: { name, expected = {}, complete }, say }) {
    const marks = await marksOf(name)
    const other = Object.entries(expected).flatMap(([table, sum]) => (marks.tables[table]?.sum === sum ? [] : table))
    const added = complete ? Object.keys(marks.tables).filter((table) => !(table in expected)) : []
    refuseChanged(name, [...other, ...added])
    say(`${Object.keys(marks.tables).length} tables of ${name} have checksums`)
    return { marks }
  },
  ...reading,
}

export const unchangedDatabase: Driver<'database.unchanged'> = {
  async run({ input: { name, since, tables }, say }) {
    const now = await marksOf(name)
    const all = new Set([...Object.keys(now.tables), ...Object.keys(since.tables)])
    const changed = [...all].filter((table) => now.tables[table]?.sum !== since.tables[table]?.sum)
    refuseChanged(
      name,
      changed.filter((table) => !tables || tables.includes(table)),
    )
    say(`${name} is what it was`)
    return { unchanged: true }
  },
  ...reading,
}

function refuseChanged(name: string, tables: string[]): void {
  if (!tables.length) return
  throw new Error(
    `${tables.slice(0, 5).join(', ')} of ${name} changed since somebody looked: look again. Nothing was changed`,
  )
}

/** Dumps a database into the spool folder, always whole: a load picks its tables. Undo deletes the dump. */
export const dumpDatabase: Driver<'database.dump'> = {
  async run({ input: { name, file, changedSince }, say, fence }) {
    if (!(await shapeOf(name))) throw new Error(`there is no database ${name} on this server`)
    fence()
    const dumped = await writeDump(name, await spooled(file))
    const total = Object.values(dumped.rows).reduce((sum, rows) => sum + rows, 0)
    say(`${Object.keys(dumped.rows).length} tables with ${total} rows of ${name}: ${dumped.bytes} bytes in ${file}`)
    return { file, ...dumped, ...(changedSince && { whole: true }) }
  },
  async undo({ input: { file }, say }) {
    say((await remove(await spooled(file))) ? `${file} is gone` : `${file} was gone already`)
  },
  async inspect({ input: { file }, task }) {
    return task === 'undo' && !existsSync(await spooled(file)) ? 'yes' : 'no' // the answer of a run is needed
  },
}

type Load = Context<'database.load'>
const KIND = 'pg-database-load'
/** Kind of notes: the owner group of a database during its replacement, for a repeat after a crash. */
const OWNER = 'pg-database-owner'
const noteOf = ({ actionId }: Pick<Load, 'actionId'>) => notes.find(KIND, `${actionId}`)

/** Drops the database and loads the dump into a new one of the same group. */
async function loadAll({ actionId }: Load, name: string, owner: string, path: string): Promise<Record<string, number>> {
  await notes.keep(OWNER, name, actionId, { owner })
  await dropDatabase(name)
  await createDatabase(name, owner)
  const rows = await loadDump(name, path)
  await notes.drop(OWNER, name)
  return rows
}

/** Replaces the contents of a database, or some of its tables, with those of a dump. Dumps the former contents first, which undo loads. */
export const loadDatabase: Driver<'database.load'> = {
  run: (c) =>
    exclusive(`pg-database ${c.input.name}`, async () => {
      const { name, file, sha256, tables, lacking, renew, keep } = c.input
      const path = await spooled(file)
      await checkDump(path, sha256)
      const shape = await shapeOf(name)
      const note = await noteOf(c)
      const owner = shape?.owner ?? note?.about.owner ?? (await notes.find(OWNER, name))?.about.owner
      if (!owner) throw new Error(`there is no database ${name} on this server`)
      if (!renew && !note && shape) {
        const before = keep ?? `before-${c.actionId}.sql.gz`
        const filled = (await tablesOf(name)).length > 0
        if (filled) {
          const { bytes } = await writeDump(name, await spooled(before))
          c.say(`the former content of ${name} is kept in ${before}: ${bytes} bytes`)
        }
        await notes.keep(KIND, `${c.actionId}`, c.actionId, {
          ...{ owner, ...(filled && { before }), ...(tables && { tables: JSON.stringify(tables) }) },
        })
      }
      await checkRoom()
      c.fence()
      const rows = tables ? await loadSome(name, path, { tables, lacking }) : await loadAll(c, name, owner, path)
      if (!renew) await notes.keep(KIND, `${c.actionId}`, c.actionId, { ...(await noteOf(c))?.about, loaded: 'yes' })
      if (c.input.spent) await remove(path)
      const total = Object.values(rows).reduce((sum, one) => sum + one, 0)
      c.say(`${name} has ${total} rows in ${Object.keys(rows).length} tables, as the dump`)
      return { rows, definers: [], ...(renew && { whole: true }) }
    }),
  undo: (c) =>
    exclusive(`pg-database ${c.input.name}`, async () => {
      const { name } = c.input
      const note = await noteOf(c)
      if (!note) return c.say(c.input.renew ? `${name} was not changed` : `${name} was not touched`)
      const { before, owner, tables } = note.about
      if (before) await checkDump(await spooled(before))
      c.fence()
      if (tables && before) {
        // other tables may have changed since
        await loadSome(name, await spooled(before), { tables: JSON.parse(tables) as string[], lacking: 'go' })
        await notes.drop(KIND, `${c.actionId}`)
        return c.say(`${JSON.parse(tables).length} tables of ${name} have their former content`)
      }
      await dropDatabase(name)
      await createDatabase(name, owner)
      if (before) await loadDump(name, await spooled(before))
      await notes.drop(KIND, `${c.actionId}`)
      c.say(before ? `${name} has its former content` : `${name} is empty, as it was before`)
    }),
  async inspect(c) {
    const note = await noteOf(c)
    if (c.task === 'undo') return note ? 'no' : 'yes'
    return note?.about.loaded ? 'yes' : 'no'
  },
}
