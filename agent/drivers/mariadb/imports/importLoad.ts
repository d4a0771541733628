import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { DumpFinding } from '@innkeeper/contract/hosting/databases/dumps'
import type { Context, Driver } from '../../../kit/driver.ts'
import { exclusive, flow, must, notes, places, remove, replace, spooled, throwMade, thrown } from '../../../kit/host.ts'
import { checkLoaded, type ForeignFacts, inWords, type Reading, sumOf } from '../../dumps/reading.ts'
import { definitionsOf, writeDump } from '../dump.ts'
import { dumpText } from '../dumpText.ts'
import { checkDump, loadDump } from '../loadDump.ts'
import { ask, client, countRows, create, definersOf, named, quoted, shapeOf, tablesOf } from '../mariadbAsk.ts'
import { openForeign } from './openForeign.ts'

type Load = Context<'database-import.load'>
type Foreign = NonNullable<OperationInput<'database-import.load'>['foreign']>

/**
 * Loads a dump into a database beside the one that it replaces later, or into a new one that is empty. Undo drops it, or empties it
 * again; contents that were in use go into the trash.
 */
export const loadImport: Driver<'database-import.load'> = {
  run: (c) =>
    exclusive(`database ${c.input.aside}`, async () => {
      const { aside, charset, collation, foreign, former, fresh } = c.input
      const note = await notes.find('database-import', `${c.actionId}`)
      if (note?.about.loaded) return JSON.parse(note.about.loaded) as object // written below
      if (!note) await checkFree(aside, fresh)
      c.fence()
      await notes.keep('database-import', `${c.actionId}`, c.actionId)
      // what an attempt that was cut off has loaded goes
      if (!fresh || note)
        await ask(`drop database if exists ${named(aside)};\n${create(aside, { charset, collation })}`)
      if (former) await loadOwn(c, former)
      const findings = foreign ? await loadForeign(c, foreign) : []
      const names = (await tablesOf(aside)).filter(({ view }) => !view).map(({ name }) => name)
      const rows = Object.values(await countRows(aside, names)).reduce((sum, one) => sum + one, 0)
      const answer = { tables: names.length, rows, ...(findings.length && { findings }) }
      if (fresh) await notes.keep('database-import-used', aside, c.actionId)
      await notes.keep('database-import', `${c.actionId}`, c.actionId, { loaded: JSON.stringify(answer) })
      c.say(`${names.length} tables with ${rows} rows are in ${aside}`)
      return answer
    }),
  undo: (c) =>
    exclusive(`database ${c.input.aside}`, async () => {
      const { aside, charset, collation, fresh } = c.input
      const note = await notes.find('database-import', `${c.actionId}`)
      await dropAccount(c.actionId)
      if (!note) return c.say(`${aside} was not loaded by this action`)
      const label = `${aside}.sql.gz`
      const was = await shapeOf(aside)
      // after a swap and back, or in a database of its own, these are contents that visitors may have changed
      if (was && (await notes.find('database-import-used', aside)) && !(await thrown(c.actionId, label))) {
        const file = await spooled(`removed-${c.actionId}.sql.gz`)
        await writeDump(aside, file)
        await throwMade(c.actionId, file, label, { ...was })
        c.say(`${aside} is dumped into the trash, because it was in use`)
      }
      c.fence()
      await ask(`drop database if exists ${named(aside)};\n${fresh ? create(aside, { charset, collation }) : ''}`)
      await notes.drop('database-import-used', aside)
      await notes.drop('database-import', `${c.actionId}`)
      c.say(fresh ? `${aside} is empty, as it was before` : `${aside} is dropped`)
    }),
  async inspect({ task, actionId }) {
    const note = await notes.find('database-import', `${actionId}`)
    if (task === 'undo') return note ? 'no' : 'yes'
    return 'no' // the answer is needed; a repeat answers from the note
  },
}

async function checkFree(aside: string, fresh: true | undefined): Promise<void> {
  const [there, tables, programs] = await Promise.all([shapeOf(aside), tablesOf(aside), definersOf(aside)])
  if (!fresh && there) throw new Error(`${aside} exists already on this server`)
  if (!fresh) return
  if (!there) throw new Error(`there is no database ${aside} on this server`)
  if (tables.length || programs.length) throw new Error(`${aside} is not empty: the dump would replace what is in it`)
}

async function loadOwn(c: Load, { taken, was }: { taken: number[]; was: string }): Promise<void> {
  for (const id of taken) {
    const there = await thrown(id, `${was}.sql.gz`)
    if (!there) continue
    await checkDump(there.path)
    await loadDump(c.input.aside, there.path)
    return
  }
  throw new Error('The former contents are no longer in the trash of this server')
}

/** Answers what was changed in the dump, so that it fits. */
async function loadForeign(c: Load, foreign: Foreign): Promise<DumpFinding[]> {
  const { aside } = c.input
  const { file, mostBytes, definer, readAs } = foreign
  const sum = sumOf(foreign)
  const read = await openForeign(await spooled(file), mostBytes, c.say, readAs)
  await pour(c.actionId, aside, read)
  checkLoaded(read, foreign, sum)
  await redefine(aside, definer)
  return read.facts().findings.filter(({ effect }) => effect === 'left out' || effect === 'rewritten')
}

/** Loads a dump as an account with rights in this database alone: MariaDB refuses every statement that reaches beyond. */
export async function pour(actionId: number, aside: string, { from }: Reading<ForeignFacts>): Promise<void> {
  const account = await makeAccount(actionId, aside)
  try {
    await flow(
      [
        ...([
          'mariadb',
          `--defaults-file=${account}`,
          '--protocol=socket',
          '--binary-mode',
          '--local-infile=0',
        ] as const),
        // the stream commits now and then: MariaDB syncs the disk at each commit
        ...['--default-character-set=utf8mb4', '--max-allowed-packet=1G', '--init-command=set autocommit = 0'],
        `--database=${aside}`,
      ],
      { from },
    ).catch((error: unknown) => {
      throw saidBy(inWords(error))
    })
  } finally {
    await dropAccount(actionId)
  }
}

/** Views, triggers, routines and events were created by the account of the import, and run as `definer` from now on. */
async function redefine(aside: string, definer: string): Promise<void> {
  if (!(await definersOf(aside)).length) return
  const { through } = dumpText(definer)
  const definitions = await text(Readable.from([Buffer.from(await definitionsOf(aside))]).pipe(through))
  await must([...client, '--binary-mode', '--default-character-set=utf8mb4', `--database=${aside}`], {
    input: definitions,
  })
  const other = (await definersOf(aside)).find((one) => one.definer !== `${definer}@localhost`)
  if (other) throw new Error(`the ${other.what} ${other.name} still runs as ${other.definer}`)
}

const userOf = (actionId: number) => `ik_import_${actionId}`
const fileOf = (actionId: number) => `${places.state}/${userOf(actionId)}.cnf`

async function makeAccount(actionId: number, aside: string): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  const account = `${quoted(userOf(actionId))}@'localhost'`
  const file = fileOf(actionId)
  await replace(file, `[client]\nuser=${userOf(actionId)}\npassword=${password}\n`, { mode: 0o600 })
  await ask(`create or replace user ${account} identified by ${quoted(password)};
    grant all privileges on ${named(aside.replaceAll('_', '\\_'))}.* to ${account};`)
  return file
}

export async function dropAccount(actionId: number): Promise<void> {
  await remove(fileOf(actionId))
  await ask(`drop user if exists ${quoted(userOf(actionId))}@'localhost';`)
}

/** MariaDB's error with the line of the dump, without the statement that the client repeats. */
function saidBy(error: Error): Error {
  const found = /ERROR (\d+) \([^()]*\) at line (\d+)(?: in file: '[^']*')?: (.*)/s.exec(error.message)
  if (!found) return error
  const [, code = '', line, words = ''] = found
  const why = ['1044', '1142', '1227', '1370', '1419'].includes(code)
    ? ' An import may change only its own database.'
    : ''
  return new Error(`Line ${line} of the dump: ${words.trim().slice(0, 500)} (MariaDB ${code}).${why}`)
}
