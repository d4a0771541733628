import type { Context, Driver } from '../../kit/driver.ts'
import { exclusive, notes, remove, spooled, takeOut, throwMade, thrown } from '../../kit/host.ts'
import { kept, restored } from '../files/restored.ts'
import { writeDump } from './dump.ts'
import { checkDump, loadDump } from './loadDump.ts'
import { ask, create, definersOf, named, type Shape, shapeOf, tablesOf } from './mariadbAsk.ts'

type Voice = Pick<Context<'database.remove'>, 'actionId' | 'say' | 'fence'>
const label = (name: string) => `${name}.sql.gz`

/** Creates a database with this character set. Undo dumps a database that this action created into the trash. */
export const ensureDatabase: Driver<'database.ensure'> = {
  run: (c) =>
    exclusive(`database ${c.input.name}`, async () => {
      const { name, charset, collation, fresh } = c.input
      const now = await shapeOf(name)
      if (now && fresh && (await notes.find('database', name))?.by !== c.actionId)
        throw new Error(`this server has a database ${name} already: adopt it in Innkeeper, or delete it`)
      if (now?.charset === charset && now.collation === collation) return c.say(`${name} is as it should be`)
      if (!now) await notes.keep('database', name, c.actionId)
      c.fence()
      if (now) await ask(`alter database ${named(name)} character set ${charset} collate ${collation};`)
      else await ask(create(name, { charset, collation }))
      c.say(`${name} is there, ${collation}`)
    }),
  async undo(c) {
    const { name } = c.input
    if ((await notes.find('database', name))?.by !== c.actionId) return c.say(`${name} was there before: it stays`)
    await takeAway(c, name, {})
  },
  async inspect({ input: { name, charset, collation, fresh }, task, actionId }) {
    const mine = (await notes.find('database', name))?.by === actionId
    if (task === 'undo') return mine ? 'no' : 'yes'
    if (fresh && !mine) return 'no'
    const now = await shapeOf(name)
    return now?.charset === charset && now.collation === collation ? 'yes' : 'no'
  },
}

/** Dumps the database into the trash and drops it. Undo loads the dump. */
export const removeDatabase: Driver<'database.remove'> = {
  run: (c) => takeAway(c, c.input.name, kept(c.input)),
  undo: (c) => exclusive(`database ${c.input.name}`, () => bringBack(c, c.input.name)),
  async inspect({ input: { name }, task, actionId }) {
    if (task === 'undo') return (await thrown(actionId, label(name))) ? 'no' : 'yes'
    return (await shapeOf(name)) ? 'no' : 'yes'
  },
}

export const restoreDatabase = restored<'database.restore', 'database.remove'>(removeDatabase, (c) =>
  thrown(c.actionId, label(c.input.name)),
)

const takeAway = (c: Voice, name: string, about: Record<string, string | number>) =>
  exclusive(`database ${name}`, async () => {
    const shape = await shapeOf(name)
    if (!shape) {
      await notes.drop('database', name)
      return c.say(`${name} was gone already`)
    }
    // DROP DATABASE is not atomic: after a crash in its middle, a second dump must not replace the complete one
    const before = await thrown(c.actionId, label(name))
    if (!before) {
      const file = await spooled(`removed-${c.actionId}.sql.gz`)
      const { rows, bytes } = await writeDump(name, file)
      c.fence()
      await throwMade(c.actionId, file, label(name), { ...about, ...shape })
      c.say(`${name} is dumped into the trash: ${Object.keys(rows).length} tables, ${bytes} bytes`)
    }
    c.fence()
    await ask(`drop database if exists ${named(name)};`)
    await notes.drop('database', name)
    c.say(`${name} is dropped`)
    return { trash: (await thrown(c.actionId, label(name)))?.path ?? null }
  })

async function bringBack(c: Voice, name: string): Promise<void> {
  const there = await thrown(c.actionId, label(name))
  if (!there) {
    await remove(await spooled(`removed-${c.actionId}.sql.gz`)) // a dump that did not reach the trash
    return c.say(`${name} is not in the trash of this action`)
  }
  const mine = (await notes.find('database-back', name))?.by === c.actionId
  if (!mine && (await tablesOf(name)).length) throw new Error(`${name} exists again: its dump stays in the trash`)
  const { charset = 'utf8mb4', collation = 'utf8mb4_unicode_ci' } = there.about as unknown as Partial<Shape>
  await checkDump(there.path)
  c.fence()
  await notes.keep('database-back', name, c.actionId)
  await ask(`drop database if exists ${named(name)};\n${create(name, { charset, collation })}`)
  const rows = await loadDump(name, there.path)
  const missing = (await definersOf(name)).filter((one) => !one.there)
  if (missing.length)
    c.say(
      `not there any more: ${missing.map((one) => `${one.definer}, whom the ${one.what} ${one.name} runs as`).join('; ')}`,
    )
  await takeOut(there)
  await notes.drop('database-back', name)
  await remove(await spooled(`removed-${c.actionId}.sql.gz`))
  c.say(`${name} is back: ${Object.keys(rows).length} tables`)
}
