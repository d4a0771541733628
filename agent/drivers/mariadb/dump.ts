import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { flow, must, syncFolder } from '../../kit/host.ts'
import { type DumpFacts, dumpText, withoutDatabase } from './dumpText.ts'
import { accounts, ask, brokenViews, client, countRows, definersOf, LONG_MS, named, tablesOf } from './mariadbAsk.ts'

export interface Dumped {
  bytes: number
  sha256: string
  rows: Record<string, number>
  definers: string[]
}

/** The last line of mariadb-dump. Used for an empty list of tables, because mariadb-dump without tables dumps all. */
const nothing = '-- Dump completed\n'

/**
 * Writes a complete dump, gzipped: under a temporary name, checked, then renamed. Fails if mariadb-dump fails or its
 * last line is missing. mariadb-dump cannot dump a view whose definer does not exist; such views are written from their
 * CREATE statement. A broken view could not be loaded, so its statement is written as a comment.
 */
export async function writeDump(name: string, file: string, tables?: readonly string[]): Promise<Dumped> {
  const orphans = tables ? [] : (await definersOf(name)).filter(({ what, there }) => what === 'view' && !there)
  const broken = tables ? [] : (await brokenViews(name)).filter((one) => !orphans.some((view) => view.name === one))
  const views = `${await viewTexts(
    name,
    orphans.map((one) => one.name),
  )}${await brokenTexts(name, broken)}`
  const aside = `${file}.part`
  const { through, facts } = dumpText(undefined, name)
  const { sum, summary } = summing()
  await rm(aside, { force: true })
  try {
    const kept = createWriteStream(aside, { mode: 0o600, flags: 'wx' })
    const to = [through, followedBy(views), createGzip({ level: 1 }), sum, kept] as const
    const left = [...orphans.map((view) => view.name), ...broken].map((view) => `--ignore-table=${name}.${view}`)
    if (tables && !tables.length) await pipeline(Readable.from([nothing]), ...to)
    else await flow(dumping(name, left, tables), { to, timeoutMs: LONG_MS })
    if (!facts.complete) throw new Error(`the dump of ${name} is incomplete`)
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
  return { ...summary(), rows: facts.rows, definers: [...facts.definers].sort() }
}

/** The definitions in a database, without rows. */
export const dumpShape = (name: string): Promise<string> => must(dumping(name, ['--no-data'], undefined))

/**
 * Views, triggers, routines and events of a database as SQL that can be loaded more than once. Tables are left out. The
 * definitions do not name the database, unless a body does.
 */
export async function definitionsOf(name: string): Promise<string> {
  const missing = (await definersOf(name)).flatMap((one) => (one.what === 'view' && !one.there ? one.name : []))
  const views = (await tablesOf(name)).flatMap((one) => (one.view ? one.name : []))
  const dumped = views.filter((view) => !missing.includes(view))
  const left = views.map((view) => `--ignore-table=${name}.${view}`)
  return [
    dumped.length ? ownViews(name, await must(dumping(name, ['--no-data', '--skip-triggers'], dumped))) : '',
    await must(dumping(name, ['--no-data', '--no-create-info', '--add-drop-trigger', ...left], undefined)),
    await viewTexts(name, missing),
  ].join('\n')
}

const ownViews = (name: string, text: string) =>
  text.replaceAll(/^\/\*!50001 VIEW `.*$/gm, (view) => withoutDatabase(view, name))

/** How Innkeeper dumps a database; also for restic, which runs mariadb-dump itself. */
export const dumpArguments = (name: string, left: string[]): [string, ...string[]] => dumping(name, left, undefined)

const dumping = (name: string, left: string[], tables: readonly string[] | undefined): [string, ...string[]] => [
  ...(['mariadb-dump', '--protocol=socket', '--single-transaction', '--quick', '--hex-blob', '--triggers'] as const),
  // autocommit off: each table is loaded in one transaction, which syncs the disk once
  ...['--default-character-set=utf8mb4', '--no-tablespaces', '--skip-dump-date', '--no-autocommit'],
  ...(tables ? [] : ['--routines', '--events']),
  ...left,
  ...['--', name, ...(tables ?? [])],
]

/** The views in the format of mariadb-dump. */
async function viewTexts(name: string, views: readonly string[]): Promise<string> {
  const texts: string[] = []
  for (const view of views) {
    const said = await ask(`use ${named(name)};\nshow create view ${named(view)};`)
    const [, head, definer, security, text] =
      /^.*?\t(CREATE .*?)(DEFINER=.*?) (SQL SECURITY \w+) (VIEW .*)\t[^\t]*\t[^\t]*$/s.exec(said) ?? []
    if (!text) throw new Error(`the view ${view} of ${name} cannot be read`)
    // unlike mariadb-dump, SHOW CREATE qualifies columns with the database, which a copy renames
    const own = withoutDatabase(text, name)
    const lines = [`DROP VIEW IF EXISTS ${named(view)}*/;`, `${head?.trim()} */`, `${own}*/;`].map(
      (one) => `/*!50001 ${one}`,
    )
    texts.push(lines[0]!, lines[1]!, `/*!50013 ${definer} ${security} */`, lines[2]!)
  }
  return texts.length ? `${texts.join('\n')}\n${nothing}` : ''
}

/** The statements of broken views, as comments. */
async function brokenTexts(name: string, views: readonly string[]): Promise<string> {
  const texts: string[] = []
  for (const view of views) {
    const said = await ask(`use ${named(name)};\nshow create view ${named(view)};`)
    texts.push(`-- The view ${view} works no longer:`, ...said.split('\n').map((line) => `-- ${line}`))
  }
  return texts.length ? `${texts.join('\n')}\n${nothing}` : ''
}

const followedBy = (text: string) =>
  new Transform({ transform: (part, _, done) => done(null, part), flush: (done) => done(null, text || undefined) })

/** Reads a whole dump without loading it. Checks its end and its checksum, and answers its content. */
export async function checkDump(file: string, sha256?: string): Promise<DumpFacts> {
  const { through, facts } = dumpText()
  const { sum, summary } = summing()
  const nowhere = new Writable({ write: (_, __, done) => done() })
  try {
    await pipeline(createReadStream(file), sum, createGunzip(), through, nowhere)
  } catch (error) {
    throw new Error(`${file} cannot be read as a dump: ${error instanceof Error ? error.message : error}`)
  }
  if (!facts.complete) throw new Error(`${file} is incomplete: its last line is missing`)
  same(file, summary().sha256, sha256)
  return facts
}

/** Compares only the checksum of the file with the one from when it was written and checked. */
export async function checkSum(file: string, sha256: string): Promise<void> {
  const { sum, summary } = summing()
  await pipeline(createReadStream(file), sum, new Writable({ write: (_, __, done) => done() }))
  same(file, summary().sha256, sha256)
}

function same(file: string, is: string, was: string | undefined): void {
  if (was && is !== was) throw new Error(`${file} differs from the dump that was written: its checksum is ${is}`)
}

/** The definers of a dump that do not exist on this server. */
export async function missingDefiners(definers: Iterable<string>): Promise<string[]> {
  const there = await accounts()
  return [...definers].filter((one) => !there.has(one)).sort()
}

/** Loads a checked dump, then compares the row count of each table with the dump. */
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
      `${name} differs from its dump: ${wrong.map(([table, rows]) => `${named(table)} has ${there[table]} rows of ${rows}`).join(', ')}`,
    )
  return there
}

function summing(): { sum: Transform; summary: () => { bytes: number; sha256: string } } {
  const hash = createHash('sha256')
  let bytes = 0
  const sum = new Transform({
    transform(part: Buffer, _, done) {
      hash.update(part)
      bytes += part.length
      done(null, part)
    },
  })
  return { sum, summary: () => ({ bytes, sha256: hash.digest('hex') }) }
}
