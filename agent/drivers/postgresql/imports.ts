import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { OperationInput } from '@innkeeper/contract/agent'
import type { Context, Driver } from '../../kit/driver.ts'
import { exclusive, flow, notes, spooled, throwAway, thrown } from '../../kit/host.ts'
import { inWords, progress } from '../mariadb/imports/dumpFetch.ts'
import { compressionOf, counting, unpacking } from '../mariadb/imports/foreignDump.ts'
import { ask, countRows, LONG_MS, shapeOf, tablesOf } from './ask.ts'
import { renameAll } from './database.ts'
import { checkDump, createDatabase, dropDatabase, loadDump, writeDump } from './dump.ts'
import { dress } from './groups.ts'
import { withGuest } from './guest.ts'
import { type DumpFacts, ownDump } from './ownDump.ts'

type Load = Context<'database-import.load'>
type Foreign = NonNullable<OperationInput<'database-import.load'>['foreign']>
const KIND = 'pg-database-import'
const RESERVE = 1024 ** 3

/** Reads a dump without running it. */
export const lookAtDump: Driver<'dump.look'> = {
  async run({ input: { file, mostBytes }, say }) {
    const path = await spooled(file)
    const { size } = await stat(path)
    const read = await reading(path, mostBytes, say)
    const nowhere = new Writable({ write: (_, __, done) => done() })
    await pipeline([...read.from, nowhere]).catch((error: unknown) => {
      throw inWords(error)
    })
    const found = foreignFacts(read.facts())
    say(`${found.statements} statements, ${found.tables} tables, ${found.bytes} bytes`)
    return { sha256: read.sha256(), compression: read.compression, size, ...found }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // reads only, so a repeat is harmless
}

/** A file without one statement is no dump. */
function foreignFacts({ rows: _, complete: __, ...facts }: DumpFacts): Omit<DumpFacts, 'rows' | 'complete'> {
  if (facts.statements || facts.findings.some(({ effect }) => effect === 'refused')) return facts
  const what = 'no statement of SQL'
  return { ...facts, findings: [...facts.findings, { effect: 'refused', topic: 'format', what, count: 1, line: 1 }] }
}

async function reading(path: string, mostBytes: number, say: (text: string) => void) {
  const { size } = await stat(path).catch(() => {
    throw new Error('The dump is not on the server any more: look at it again')
  })
  const compression = await compressionOf(path)
  const { count, read } = counting()
  const hash = createHash('sha256')
  const tell = progress(say, size)
  count.on('data', (part: Buffer) => {
    hash.update(part)
    tell(read())
  })
  count.pause()
  const { through, facts } = ownDump()
  const { bavail, bsize } = await statfs('/var/lib/postgresql')
  const most = Math.min(mostBytes, Math.max(0, bavail * bsize - RESERVE))
  return {
    from: [createReadStream(path), count, ...unpacking(compression, most, read), through] as const,
    ...{ facts, compression, sha256: () => hash.digest('hex') },
  }
}

/** Loads a dump into a database beside the one that it replaces later. Undo drops it. */
export const loadImport: Driver<'database-import.load'> = {
  run: (c) =>
    exclusive(`pg-database ${c.input.aside}`, async () => {
      const { aside, name, foreign, former } = c.input
      const note = await notes.find(KIND, `${c.actionId}`)
      if (note?.about.loaded) return JSON.parse(note.about.loaded) as object // written below
      if (!note && (await shapeOf(aside))) throw new Error(`${aside} exists already on this server`)
      const owner = name && (await shapeOf(name))?.owner
      if (!owner) throw new Error(`there is no database ${name ?? ''} on this server`)
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
        await throwAway(c.actionId, file, label, { owner: was.owner })
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

async function loadForeign(c: Load, { file, sha256, mostBytes }: Foreign): Promise<void> {
  const { aside } = c.input
  const read = await reading(await spooled(file), mostBytes, c.say)
  await withGuest(aside, { may: 'own' }, ({ psql, as }) =>
    flow([...psql, '--single-transaction', '--file=-'], { from: read.from, timeoutMs: LONG_MS, as }).catch(
      (error: unknown) => {
        throw saidBy(inWords(error))
      },
    ),
  )
  if (read.sha256() !== sha256) throw new Error(`${file} is not the dump that was looked at`)
  const refused = read.facts().findings.find(({ effect }) => effect === 'refused')
  if (refused) throw new Error(`The dump is refused: ${refused.topic}, ${refused.what}`)
  await dress(aside)
  await ask('analyze;', { database: aside, timeoutMs: LONG_MS })
}

/** PostgreSQL's error with the line of the dump. */
function saidBy(error: Error): Error {
  const [, line, words = ''] = /psql:<stdin>:(\d+): (?:ERROR|FATAL): +(.*)/s.exec(error.message) ?? []
  return line ? new Error(`Line ${line} of the dump: ${words.trim().slice(0, 500)}`) : error
}

const SWAP = 'pg-database-import-swap'

/** Exchanges the contents of a database with the imported contents, in one transaction. Undo exchanges them again. */
export const swapImport: Driver<'database-import.swap'> = {
  run: (c) =>
    exclusive(`pg-database ${c.input.name}`, async () => {
      const { name, aside, before } = c.input
      const there = { name: await shapeOf(name), aside: await shapeOf(aside), before: await shapeOf(before) }
      const note = await notes.find(SWAP, `${c.actionId}`)
      if (!note) {
        if (there.before) throw new Error(`${before} exists already on this server`)
        if (!there.name || !there.aside) throw new Error(`there is no ${there.name ? aside : name} on this server`)
        await dress(aside)
        c.fence()
        await notes.keep(SWAP, `${c.actionId}`, c.actionId)
      }
      c.fence()
      if (there.aside)
        await renameAll([
          [name, before],
          [aside, name],
        ])
      else for (const one of [name, before]) await ask(`alter database "${one}" allow_connections true;`)
      await notes.keep('pg-import-used', aside, c.actionId)
      c.say(`${name} has the imported contents; the former ones are in ${before}`)
    }),
  undo: (c) =>
    exclusive(`pg-database ${c.input.name}`, async () => {
      const { name, aside, before } = c.input
      if (!(await notes.find(SWAP, `${c.actionId}`))) return c.say(`${name} was not exchanged by this action`)
      if (!(await shapeOf(aside))) {
        if (!(await shapeOf(before)))
          throw new Error(`${before} is not on this server: the former contents cannot return`)
        c.fence()
        await renameAll([
          [name, aside],
          [before, name],
        ])
      }
      await notes.drop(SWAP, `${c.actionId}`)
      c.say(`${name} has its former contents`)
    }),
  async inspect({ input: { aside, name }, task, actionId }) {
    const note = await notes.find(SWAP, `${actionId}`)
    if (task === 'undo') return note ? 'no' : 'yes'
    return note && (await shapeOf(name)) && !(await shapeOf(aside)) ? 'yes' : 'no'
  },
}
