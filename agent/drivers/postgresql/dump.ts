import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'
import { isFull } from '../../kit/files/fullDisk.ts'
import { flow, putInPlace } from '../../kit/host.ts'
import { checkWhole, summing } from '../dumps/summing.ts'
import { ask, countRows, DATABASES, named, programOf, superuser, tablesOf, target } from './ask.ts'
import { creating, dress, newOwner, readersOf } from './groups.ts'
import { withGuest } from './guest.ts'
import { type DumpFacts, ownDump } from './ownDump.ts'

export interface Dumped {
  bytes: number
  sha256: string
  rows: Record<string, number>
  definers: string[]
}

/** The pg_dump command, also for restic. Leaves out owners and privileges, because the groups define them. */
export const dumpArguments = async (name: string): Promise<[string, ...string[]]> => [
  ...([programOf('pg_dump'), '--no-owner', '--no-privileges', '--no-tablespaces', '--no-publications'] as const),
  ...['--no-subscriptions', '--encoding=UTF8', `--dbname=${await target(name)}`],
]

/** Writes a complete dump, gzipped: under a temporary name, checked, then renamed. */
export async function writeDump(name: string, file: string): Promise<Dumped> {
  const aside = `${file}.part`
  const { through: reading, facts } = ownDump()
  const { sum, summary } = summing()
  // only inspects the dump; the file gets the unchanged output of pg_dump
  reading.resume()
  const along = new Transform({
    transform(part: Buffer, _, done) {
      reading.write(part, (error) => done(error, part))
    },
    flush: (done) => void reading.end(() => done()),
  })
  await rm(aside, { force: true })
  try {
    const kept = createWriteStream(aside, { mode: 0o600, flags: 'wx' })
    await flow(await dumpArguments(name), {
      to: [along, createGzip({ level: 1 }), sum, kept],
      as: await superuser(),
    })
    const { complete, rows } = facts()
    if (!complete) throw new Error(`the dump of ${name} is incomplete`)
    await putInPlace(aside, file)
    return { ...summary(), rows, definers: [] }
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}

/** Four segments of PostgreSQL's log. */
const ROOM = 4 * 16_777_216
/**
 * Refuses to begin a load on a disk that is nearly full. PostgreSQL ends when its log finds no room, with the databases of
 * all websites, and an undo finds no server.
 */
export async function checkRoom(): Promise<void> {
  if (await isFull(DATABASES, ROOM))
    throw new Error(`no space left on device: ${DATABASES} needs ${ROOM / 1_048_576} MB for the log of a load`)
}

/** Reads a whole dump without loading it. Checks its end and its checksum, and answers its content. */
export async function checkDump(file: string, sha256?: string): Promise<DumpFacts> {
  const { through, facts } = ownDump()
  await checkWhole(file, { through, isComplete: () => facts().complete }, sha256)
  return facts()
}

/** Creates an empty database with its groups. `owner`: the group of an earlier database, whose members get access. */
export async function createDatabase(name: string, owner = newOwner()): Promise<void> {
  await ask(creating([owner, readersOf(owner)]))
  await ask(
    `create database ${named(name)} with owner ${named(owner)} template template0 encoding 'UTF8'
      lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8';`,
  )
  await dress(name)
}

/** Drops a database with its connections. */
export const dropDatabase = (name: string) => ask(`drop database if exists ${named(name)} with (force);`)

/** Loads a checked dump of our own into an empty database, then compares the row count of each table with the dump. */
export async function loadDump(name: string, file: string): Promise<Record<string, number>> {
  const { through, facts } = ownDump()
  await withGuest(name, { may: 'own' }, ({ script, as }) =>
    flow(script, {
      from: [createReadStream(file), createGunzip(), through],
      as,
    }),
  )
  await dress(name)
  await ask('analyze;', { database: name })
  const there = await countRows(
    name,
    (await tablesOf(name)).filter(({ view }) => !view),
  )
  const wrong = Object.entries(facts().rows).filter(([table, rows]) => there[table] !== rows && rows > 0)
  if (wrong.length)
    throw new Error(
      `${name} differs from its dump: ${wrong.map(([table, rows]) => `${table} has ${there[table]} rows of ${rows}`).join(', ')}`,
    )
  return there
}
