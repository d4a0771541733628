import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Context, Driver } from '../../kit/driver.ts'
import { exclusive, flow, notes, spooled, throwMade, thrown } from '../../kit/host.ts'
import { checkLoaded, inWords, type Reading, sumOf } from '../dumps/reading.ts'
import { ask, countRows, shapeOf, tablesOf } from './ask.ts'
import { checkDump, checkRoom, createDatabase, dropDatabase, loadDump, writeDump } from './dump.ts'
import { dress } from './groups.ts'
import { withGuest } from './guest.ts'
import { openForeign } from './openForeign.ts'
import type { DumpFacts } from './ownDump.ts'

type Load = Context<'database-import.load'>
type Foreign = NonNullable<OperationInput<'database-import.load'>['foreign']>
const KIND = 'pg-database-import'

/** Loads a dump into a database beside the one that it replaces later. Undo drops it. */
export const loadImport: Driver<'database-import.load'> = {
  run: (c) =>
    exclusive(`pg-database ${c.input.aside}`, async () => {
      const { aside, name, foreign, former, fresh } = c.input
      if (fresh) throw new Error('a dump for PostgreSQL comes into a second database')
      const note = await notes.find(KIND, `${c.actionId}`)
      if (note?.about.loaded) return JSON.parse(note.about.loaded) as object // written below
      if (!note && (await shapeOf(aside))) throw new Error(`${aside} exists already on this server`)
      const owner = name && (await shapeOf(name))?.owner
      if (!owner) throw new Error(`there is no database ${name ?? ''} on this server`)
      await checkRoom()
      c.fence()
      await notes.keep(KIND, `${c.actionId}`, c.actionId)
      await dropDatabase(aside)
      await createDatabase(aside, owner)
      if (former) await loadOwn(c, former)
      else if (foreign) await loadForeign(c, foreign)
      const tables = (await tablesOf(aside)).filter(({ view }) => !view)
      const rows = Object.values(await countRows(aside, tables)).reduce((sum, one) => sum + one, 0)
      const answer = { tables: tables.length, rows }
      await notes.keep(KIND, `${c.actionId}`, c.actionId, { loaded: JSON.stringify(answer) })
      c.say(`${tables.length} tables with ${rows} rows are in ${aside}`)
      return answer
    }),
  undo: (c) =>
    exclusive(`pg-database ${c.input.aside}`, async () => {
      const { aside } = c.input
      if (!(await notes.find(KIND, `${c.actionId}`))) return c.say(`${aside} was not loaded by this action`)
      const label = `${aside}.pg.sql.gz`
      const was = await shapeOf(aside)
      // after a swap and back, these are contents that visitors may have changed
      if (was && (await notes.find('pg-import-used', aside)) && !(await thrown(c.actionId, label))) {
        const file = await spooled(`removed-${c.actionId}.sql.gz`)
        await writeDump(aside, file)
        await throwMade(c.actionId, file, label, { owner: was.owner })
        c.say(`${aside} is dumped into the trash, because it was in use`)
      }
      c.fence()
      await dropDatabase(aside)
      await notes.drop('pg-import-used', aside)
      await notes.drop(KIND, `${c.actionId}`)
      c.say(`${aside} is dropped`)
    }),
  async inspect({ task, actionId }) {
    const note = await notes.find(KIND, `${actionId}`)
    if (task === 'undo') return note ? 'no' : 'yes'
    return 'no' // the answer is needed; a repeat answers from the note
  },
}

async function loadOwn(c: Load, { taken, was }: { taken: number[]; was: string }): Promise<void> {
  for (const id of taken) {
    const there = await thrown(id, `${was}.pg.sql.gz`)
    if (!there) continue
    await checkDump(there.path)
    await loadDump(c.input.aside, there.path)
    return
  }
  throw new Error('The former contents are no longer in the trash of this server')
}

async function loadForeign(c: Load, foreign: Foreign): Promise<void> {
  const { aside } = c.input
  const sum = sumOf(foreign)
  const read = await openForeign(await spooled(foreign.file), foreign.mostBytes, c.say)
  await pour(aside, read)
  checkLoaded(read, foreign, sum)
  await dress(aside)
  await ask('analyze;', { database: aside })
}

/** Loads a dump as a guest with rights in this database alone. */
export const pour = (aside: string, { from }: Reading<DumpFacts>): Promise<void> =>
  withGuest(aside, { may: 'own' }, async ({ script, as }) => {
    await flow(script, { from, as }).catch((error: unknown) => {
      throw saidBy(inWords(error))
    })
  })

/** PostgreSQL's error with the line of the dump. */
function saidBy(error: Error): Error {
  if (error.message.includes('invalid command \\restrict'))
    return new Error('PostgreSQL on this server is too old to load a dump safely: update its packages')
  if (error.message.includes('backslash commands are restricted'))
    return new Error('The dump contains commands of psql within its statements')
  const [, line, words = ''] = /psql:<stdin>:(\d+): (?:ERROR|FATAL): +(.*)/s.exec(error.message) ?? []
  return line ? new Error(`Line ${line} of the dump: ${words.trim().slice(0, 500)}`) : error
}

export const SWAP = 'pg-database-import-swap'
