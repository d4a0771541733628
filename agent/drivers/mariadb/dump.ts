import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { flow, must, putInPlace } from '../../kit/host.ts'
import { summing } from '../dumps/summing.ts'
import { dumpText, withoutDatabase } from './dumpText.ts'
import { ask, brokenViews, definersOf, named, tablesOf } from './mariadbAsk.ts'

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
    else await flow(dumping(name, left, tables), { to })
    if (!facts.complete) throw new Error(`the dump of ${name} is incomplete`)
    const missing = tables?.filter((table) => !(table in facts.rows)) ?? []
    if (missing.length) throw new Error(`the dump of ${name} lacks ${missing.join(', ')}`)
    await putInPlace(aside, file)
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
    // name, statement, character set, collation
    const created = said.slice(said.indexOf('\tCREATE ') + 1, said.lastIndexOf('\t', said.lastIndexOf('\t') - 1))
    const at = created.indexOf('DEFINER=')
    const [, definer, security, text] =
      /^(DEFINER=`(?:[^`]|``)*`@`(?:[^`]|``)*`) (SQL SECURITY \w+) (VIEW .*)$/s.exec(created.slice(at)) ?? []
    if (!text) throw new Error(`the view ${view} of ${name} cannot be read`)
    // unlike mariadb-dump, SHOW CREATE qualifies columns with the database, which a copy renames
    const own = withoutDatabase(text, name)
    const lines = [`DROP VIEW IF EXISTS ${named(view)}*/;`, `${created.slice(0, at).trim()} */`, `${own}*/;`].map(
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
