import type { Context, Driver } from '../../kit/driver.ts'
import { exclusive, notes, remove, spooled, takeOut, throwMade, thrown } from '../../kit/host.ts'
import { kept, restored } from '../files/restored.ts'
import { ask, named, quoted, shapeOf, tablesOf } from './ask.ts'
import { checkDump, createDatabase, dropDatabase, loadDump, writeDump } from './dump.ts'
import { dress, isOurs } from './groups.ts'

type Voice = Pick<Context<'database.remove'>, 'actionId' | 'say' | 'fence'>
const KIND = 'pg-database'
const label = (name: string) => `${name}.pg.sql.gz`
const file = (c: Voice) => spooled(`removed-${c.actionId}.sql.gz`)

/** Creates a database. Undo dumps a database that this action created into the trash. */
export const ensureDatabase: Driver<'database.ensure'> = {
  run: (c) =>
    exclusive(`pg-database ${c.input.name}`, async () => {
      const { name, fresh } = c.input
      const now = await shapeOf(name)
      if (now && fresh && (await notes.find(KIND, name))?.by !== c.actionId)
        throw new Error(`this server has a database ${name} already: import its dump into a new one, or delete it`)
      if (!now) await notes.keep(KIND, name, c.actionId)
      c.fence()
      if (now) await dress(name)
      else await createDatabase(name)
      c.say(`${name} is there, UTF8`)
    }),
  async undo(c) {
    const { name } = c.input
    if ((await notes.find(KIND, name))?.by !== c.actionId) return c.say(`${name} was there before: it stays`)
    await takeAway(c, name, {})
  },
  async inspect({ input: { name }, task, actionId }) {
    if (task === 'undo') return (await notes.find(KIND, name))?.by === actionId ? 'no' : 'yes'
    return 'no' // a repeat is harmless, and gives the groups their privileges after a crash
  },
}

/** Dumps the database into the trash and drops it. Undo loads the dump. */
export const removeDatabase: Driver<'database.remove'> = {
  run: (c) => takeAway(c, c.input.name, kept(c.input)),
  undo: (c) => exclusive(`pg-database ${c.input.name}`, () => bringBack(c, c.input.name)),
  async inspect({ input: { name }, task, actionId }) {
    if (task === 'undo') return (await thrown(actionId, label(name))) ? 'no' : 'yes'
    return (await shapeOf(name)) ? 'no' : 'yes'
  },
}

export const restoreDatabase = restored<'database.restore', 'database.remove'>(removeDatabase, (c) =>
  thrown(c.actionId, label(c.input.name)),
)

const takeAway = (c: Voice, name: string, about: Record<string, string | number>) =>
  exclusive(`pg-database ${name}`, async () => {
    const shape = await shapeOf(name)
    if (!shape) {
      await notes.drop(KIND, name)
      return c.say(`${name} was gone already`)
    }
    if (!(await thrown(c.actionId, label(name)))) {
      const path = await file(c)
      const { rows, bytes } = await writeDump(name, path)
      c.fence()
      await throwMade(c.actionId, path, label(name), { ...about, owner: shape.owner })
      c.say(`${name} is dumped into the trash: ${Object.keys(rows).length} tables, ${bytes} bytes`)
    }
    c.fence()
    await dropDatabase(name)
    await notes.drop(KIND, name)
    c.say(`${name} is dropped`)
    return { trash: (await thrown(c.actionId, label(name)))?.path ?? null }
  })

async function bringBack(c: Voice, name: string): Promise<void> {
  const there = await thrown(c.actionId, label(name))
  if (!there) {
    await remove(await file(c)) // a dump that did not reach the trash
    return c.say(`${name} is not in the trash of this action`)
  }
  const mine = (await notes.find('pg-database-back', name))?.by === c.actionId
  if (!mine && (await shapeOf(name)) && (await tablesOf(name)).length)
    throw new Error(`${name} exists again: its dump stays in the trash`)
  await checkDump(there.path)
  c.fence()
  await notes.keep('pg-database-back', name, c.actionId)
  await dropDatabase(name)
  const { owner } = there.about
  // the groups still exist, so the accounts regain their rights
  await createDatabase(name, typeof owner === 'string' && isOurs(owner) ? owner : undefined)
  const rows = await loadDump(name, there.path)
  await takeOut(there)
  await notes.drop('pg-database-back', name)
  await remove(await file(c))
  c.say(`${name} is back: ${Object.keys(rows).length} tables`)
}

/** Ends the connections of databases and renames them, all or none. */
export async function renameAll(names: readonly (readonly [from: string, to: string])[]): Promise<void> {
  const closing = names.map(([from]) => `alter database ${named(from)} allow_connections false;`)
  const ending = names.map(
    ([from]) => `select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity where datname = ${quoted(from)};`,
  )
  const renaming = names.map(([from, to]) => `alter database ${named(from)} rename to ${named(to)};`)
  const opening = names.map(([, to]) => `alter database ${named(to)} allow_connections true;`)
  try {
    await ask([...closing, ...ending, 'begin;', ...renaming, 'commit;', ...opening].join('\n'))
  } catch (error) {
    for (const one of names.flat())
      if (await shapeOf(one)) await ask(`alter database ${named(one)} allow_connections true;`)
    throw error
  }
}

/** Renames a database. Its accounts keep their rights. */
export const renameDatabase: Driver<'database.rename'> = {
  run: (c) =>
    exclusive(`pg-database ${c.input.name}`, async () => {
      const { name, newName: to } = c.input
      if (!(await notes.find('pg-database-rename', `${c.actionId}`))) {
        if (!(await shapeOf(name))) throw new Error(`there is no database ${name} on this server`)
        if (await shapeOf(to)) throw new Error(`${to} exists already on this server`)
        c.fence()
        await notes.keep('pg-database-rename', `${c.actionId}`, c.actionId)
      }
      c.fence()
      if (await shapeOf(name)) await renameAll([[name, to]])
      else await ask(`alter database ${named(to)} allow_connections true;`)
      c.say(`${name} is ${to} now`)
    }),
  undo: (c) =>
    exclusive(`pg-database ${c.input.name}`, async () => {
      const { name, newName: to } = c.input
      if (!(await notes.find('pg-database-rename', `${c.actionId}`)))
        return c.say(`${name} was not renamed by this action`)
      c.fence()
      if (!(await shapeOf(name))) await renameAll([[to, name]])
      await ask(`alter database ${named(name)} allow_connections true;`)
      await notes.drop('pg-database-rename', `${c.actionId}`)
      c.say(`${name} has its former name`)
    }),
  async inspect({ input: { name, newName: to }, task, actionId }) {
    if (task === 'undo') return (await notes.find('pg-database-rename', `${actionId}`)) ? 'no' : 'yes'
    return (await shapeOf(to)) && !(await shapeOf(name)) ? 'yes' : 'no'
  },
}

const NO_CONVERSION = 'A PostgreSQL database keeps its encoding and locale'
export const convertDatabase: Driver<'database.convert'> = {
  async run() {
    throw new Error(NO_CONVERSION)
  },
  undo: async ({ say }) => say(NO_CONVERSION),
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}
