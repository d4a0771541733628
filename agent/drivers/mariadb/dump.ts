import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { flow, must, syncFolder } from '../../kit/host.ts'
import { type DumpFacts, dumpText } from './dumpText.ts'
import { accounts, ask, client, countRows, definersOf, LONG_MS, named } from './mariadbAsk.ts'

export interface Dumped {
  bytes: number
  sha256: string
  rows: Record<string, number>
  definers: string[]
}

/** What mariadb-dump ends with; without a table it would say all of them. */
const nothing = '-- Dump completed\n'

/**
 * Writes a whole dump, gzipped: aside, checked, then by its name. It fails when mariadb-dump fails, and when its last line
 * is missing. A view of somebody who does not exist, which mariadb-dump cannot read, is written as the server has it.
 */
export async function writeDump(name: string, file: string, tables?: readonly string[]): Promise<Dumped> {
  const orphans = tables ? [] : (await definersOf(name)).filter(({ what, there }) => what === 'view' && !there)
  const views = await viewTexts(
    name,
    orphans.map((one) => one.name),
  )
  const aside = `${file}.part`
  const { through, facts } = dumpText()
  const { sum, told } = summing()
  await rm(aside, { force: true })
  try {
    const kept = createWriteStream(aside, { mode: 0o600, flags: 'wx' })
    const to = [through, followedBy(views), createGzip({ level: 1 }), sum, kept] as const
    const left = orphans.map((view) => `--ignore-table=${name}.${view.name}`)
    if (tables && !tables.length) await pipeline(Readable.from([nothing]), ...to)
    else await flow(dumping(name, left, tables), { to, timeoutMs: LONG_MS })
    if (!facts.complete) throw new Error(`the dump of ${name} has no end`)
    const missing = tables?.filter((table) => !(table in facts.rows)) ?? []
    if (missing.length) throw new Error(`the dump of ${name} lacks ${missing.join(', ')}`)
    const handle = await open(aside)
    await handle.sync().finally(() => handle.close())
    await rename(aside, file)
    await syncFolder(dirname(file))
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
  return { ...told(), rows: facts.rows, definers: [...facts.definers].sort() }
}

/** The definitions of all that is in it, without a row. */
export const dumpShape = (name: string): Promise<string> => must(dumping(name, ['--no-data'], undefined))

const dumping = (name: string, left: string[], tables: readonly string[] | undefined): [string, ...string[]] => [
  ...(['mariadb-dump', '--protocol=socket', '--single-transaction', '--quick', '--hex-blob', '--triggers'] as const),
  // each table is loaded in one transaction: its rows wait for the disk once
  ...['--default-character-set=utf8mb4', '--no-tablespaces', '--skip-dump-date', '--no-autocommit'],
  ...(tables ? [] : ['--routines', '--events']),
  ...left,
  ...['--', name, ...(tables ?? [])],
]

/** Views as mariadb-dump would write them. */
async function viewTexts(name: string, views: readonly string[]): Promise<string> {
  const texts: string[] = []
  for (const view of views) {
    const said = await ask(`use ${named(name)};\nshow create view ${named(view)};`)
    const [, head, definer, security, text] =
      /^.*?\t(CREATE .*?)(DEFINER=.*?) (SQL SECURITY \w+) (VIEW .*)\t[^\t]*\t[^\t]*$/s.exec(said) ?? []
    if (!text) throw new Error(`the view ${view} of ${name} cannot be read`)
    // unlike mariadb-dump it names the database in front of each column: a copy has another
    const own = text.replaceAll(`${named(name)}.`, '')
    const lines = [`DROP VIEW IF EXISTS ${named(view)}*/;`, `${head?.trim()} */`, `${own}*/;`].map(
      (one) => `/*!50001 ${one}`,
    )
    texts.push(lines[0]!, lines[1]!, `/*!50013 ${definer} ${security} */`, lines[2]!)
  }
  return texts.length ? `${texts.join('\n')}\n${nothing}` : ''
}

const followedBy = (text: string) =>
  new Transform({ transform: (part, _, done) => done(null, part), flush: (done) => done(null, text || undefined) })

/** Reads a dump to its end and touches nothing: whole, unchanged since its sum was taken, and what is in it. */
export async function checkDump(file: string, sha256?: string): Promise<DumpFacts> {
  const { through, facts } = dumpText()
  const { sum, told } = summing()
  const nowhere = new Writable({ write: (_, __, done) => done() })
  try {
    await pipeline(createReadStream(file), sum, createGunzip(), through, nowhere)
  } catch (error) {
    throw new Error(`${file} cannot be read as a dump: ${error instanceof Error ? error.message : error}`)
  }
  if (!facts.complete) throw new Error(`${file} has no end: it was cut off`)
  same(file, told().sha256, sha256)
  return facts
}

/** Reads its bytes alone: with the sum that it had when it was written it is whole, as it was then. */
export async function checkSum(file: string, sha256: string): Promise<void> {
  const { sum, told } = summing()
  await pipeline(createReadStream(file), sum, new Writable({ write: (_, __, done) => done() }))
  same(file, told().sha256, sha256)
}

function same(file: string, is: string, was: string | undefined): void {
  if (was && is !== was) throw new Error(`${file} is not what was dumped: its sum is ${is}`)
}

/** Those of a dump that do not exist on this server. */
export async function missingDefiners(definers: Iterable<string>): Promise<string[]> {
  const there = await accounts()
  return [...definers].filter((one) => !there.has(one)).sort()
}

/** Loads a checked dump, and counts: as many rows have to be there as the dump has. */
export async function loadDump(name: string, file: string, definer?: string): Promise<Record<string, number>> {
  const { through, facts } = dumpText(definer)
  const from: [Readable, ...Transform[]] = [createReadStream(file), createGunzip(), through]
  await flow([...client, '--binary-mode', '--default-character-set=utf8mb4', `--database=${name}`], {
    from,
    timeoutMs: LONG_MS,
  })
  const there = await countRows(name, Object.keys(facts.rows))
  const wrong = Object.entries(facts.rows).filter(([table, rows]) => there[table] !== rows)
  if (wrong.length)
    throw new Error(
      `${name} is not what its dump is: ${wrong.map(([table, rows]) => `${named(table)} has ${there[table]} rows of ${rows}`).join(', ')}`,
    )
  return there
}

function summing(): { sum: Transform; told: () => { bytes: number; sha256: string } } {
  const hash = createHash('sha256')
  let bytes = 0
  const sum = new Transform({
    transform(part: Buffer, _, done) {
      hash.update(part)
      bytes += part.length
      done(null, part)
    },
  })
  return { sum, told: () => ({ bytes, sha256: hash.digest('hex') }) }
}
