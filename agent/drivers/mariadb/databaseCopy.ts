import { existsSync } from 'node:fs'
import type { Context, Driver } from '../../kit/driver.ts'
import { remove, spooled } from '../../kit/host.ts'
import { changedSince, marksOf, otherThan } from './databaseMarks.ts'
import { writeDump } from './dump.ts'
import { shapeOf } from './mariadbAsk.ts'

export type Load = Context<'database.load'>

/** Runs before a dump, so that changes during the dump count as changes after the marks. */
export const markDatabase: Driver<'database.marks'> = {
  async run({ input: { name, expected = {}, complete }, say }) {
    if (!(await shapeOf(name))) throw new Error(`there is no database ${name} on this server`)
    const marks = await marksOf(name)
    const sums = new Map(Object.entries(marks.tables).map(([table, { sum }]) => [table, sum]))
    const other = Object.entries(expected).flatMap(([table, sum]) => (sums.get(table) === sum ? [] : table))
    const added = complete ? [...sums.keys()].filter((table) => !(table in expected)) : []
    refuseChanged(name, [...other, ...added])
    say(`${Object.keys(marks.tables).length} tables of ${name} have checksums`)
    return { marks }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** Runs while the website is closed, so that a load replaces nothing that nobody has seen. */
export const unchangedDatabase: Driver<'database.unchanged'> = {
  async run({ input: { name, since, tables }, say }) {
    const changed = await otherThan(name, since)
    refuseChanged(
      name,
      changed.filter((table) => !tables || tables.includes(table)),
    )
    say(`${name} is what it was`)
    return { unchanged: true }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

function refuseChanged(name: string, tables: string[]): void {
  if (!tables.length) return
  const names = tables.slice(0, 5).join(', ')
  throw new Error(
    `${names} of ${name} changed since somebody looked: look again, or leave ${tables.length === 1 ? 'it' : 'them'} out. Nothing was changed`,
  )
}

/** Dumps a database into the spool folder. Undo deletes the dump. */
export const dumpDatabase: Driver<'database.dump'> = {
  async run({ input: { name, file, tables, changedSince: marks }, say, fence }) {
    if (!(await shapeOf(name))) throw new Error(`there is no database ${name} on this server`)
    const changed = marks && (await changedSince(name, marks))
    fence()
    const dumped = await writeDump(name, await spooled(file), changed ?? tables)
    const total = Object.values(dumped.rows).reduce((sum, rows) => sum + rows, 0)
    say(`${Object.keys(dumped.rows).length} tables with ${total} rows of ${name}: ${dumped.bytes} bytes in ${file}`)
    return { file, ...dumped, ...(marks && { whole: !changed }) }
  },
  async undo({ input: { file }, say }) {
    say((await remove(await spooled(file))) ? `${file} is gone` : `${file} was gone already`)
  },
  async inspect({ input: { file }, task }) {
    const path = await spooled(file)
    if (task === 'undo') return existsSync(path) ? 'no' : 'yes'
    return 'no' // the answer is needed; a repeat is harmless
  },
}
