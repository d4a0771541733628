import { createHash } from 'node:crypto'
import type { stagings as contract } from '@innkeeper/contract/hosting/stagings/calls'
import { LiveChanges } from '@innkeeper/contract/hosting/stagings/shapes'
import type { Input } from '@innkeeper/contract/kit/endpoint'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import type { App } from '../../kit/app/app.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { engineOf } from '../databases/steps.ts'
import { readSite } from '../websites/site.ts'
import type { Site } from '../websites/siteSteps.ts'
import { compared } from './compareTables.ts'
import { formerNames } from './formerName.ts'
import { pairsOf, readStaging } from './read.ts'
import { copyPlaceOf, placeOf, type Seen } from './steps.ts'

export type Parts = Pick<Input<typeof contract.merge, 'out'>, 'files' | 'paths' | 'tables'>

const Files = LiveChanges.pick({ known: true, differences: true, digest: true }).extend({
  at: LiveChanges.shape.at.default(null),
  added: z.int().default(0),
  changed: z.int().default(0),
  gone: z.int().default(0),
  items: LiveChanges.shape.files.default([]),
  /** Requested paths that exist neither in the website nor in its copy. */
  unknown: z.array(z.string()),
})
const Now = z.object({
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sum: z.string().nullable() })).default([]),
})
const Names = z.object({ tables: z.array(z.object({ name: z.string() })).default([]) })

export const readChanges = async (app: App, id: number, parts: Parts = {}): Promise<LiveChanges> =>
  (await readState(app, id, parts)).changes

/**
 * Asks the server for the changes in these parts of the live website since the copy was made. 422 for a path that
 * exists in neither website, 503 if the server does not answer. `keep`: a merge follows, so that the agent keeps the
 * listing of the files.
 */
export async function readState(
  app: App,
  id: number,
  parts: Parts = {},
  keep = false,
): Promise<{ changes: LiveChanges; seen: Seen }> {
  const staging = await readStaging(app.db, id)
  const live = await readSite(app.db, staging.liveId)
  const files = await readFiles(app, id, live, staging.copiedAt, parts, keep)
  const found: Pick<LiveChanges, 'tables' | 'choices'> = { tables: [], choices: [] }
  const seen: unknown[] = [files.digest]
  const sums: Seen['tables'] = {}
  let isKnown = files.known
  for (const { live: database, copy } of await pairsOf(app.db, id)) {
    const of = { databaseId: database.id, database: database.name }
    const ask = (name: string, deep: boolean) =>
      liveRead(app, live.server.id, 'database.inspect', { ...engineOf(database), name, deep })
    const theirs = Names.parse(await ask(copy.name, false)).tables
    found.choices.push({ ...of, tables: theirs.map(({ name }) => name) })
    const isTaken = takes(parts.tables, database.id)
    if (!isTaken) continue
    const now = Now.parse(await ask(database.name, true)).tables.filter(({ name }) => isTaken(name))
    const then = staging.tables?.find(({ databaseId }) => databaseId === database.id)?.tables
    isKnown &&= then !== undefined
    const changes = compared(
      (then ?? []).filter(({ name }) => isTaken(name)),
      now,
    )
    if (then) found.tables.push(...changes.map((one) => ({ ...of, ...one })))
    sums[database.id] = Object.fromEntries(now.map(({ name, sum }) => [name, sum]))
    seen.push([database.id, now.map(({ name, rows, sum }) => [name, rows, sum]).sort()])
  }
  const { at, added, changed, gone, items, differences } = files
  const digest = `${selectionOf(parts)}-${sha(seen)}`
  const [formerDomain = null] = await formerNames(app.db, live, [staging.copiedAt])
  const changes = {
    formerDomain,
    digest,
    known: isKnown,
    at,
    added,
    changed,
    gone,
    files: items,
    differences,
    ...found,
  }
  return { changes, seen: { files: files.digest, tables: sums } }
}

const sha = (of: unknown) => createHash('sha256').update(JSON.stringify(of)).digest('hex')

/** A short sum of what a look or a merge takes. */
function selectionOf({ files = true, paths, tables = 'all' }: Parts): string {
  const chosen = Array.isArray(tables)
    ? tables.flatMap(({ databaseId, tables: some }) => some.map((name) => `${databaseId} ${name}`)).sort()
    : tables
  return sha([files, files && paths ? [...new Set(paths)].sort() : null, chosen]).slice(0, 16)
}

async function readFiles(
  app: App,
  id: number,
  live: Site,
  copiedAt: string | null,
  { files = true, paths }: Parts,
  keep: boolean,
): Promise<z.output<typeof Files>> {
  if (!files)
    return Files.parse({
      ...{ known: true, at: copiedAt, digest: '', unknown: [] },
      differences: { added: 0, changed: 0, gone: 0, files: [] },
    })
  const from = copyPlaceOf(await readSite(app.db, id), live)
  const look = { ...placeOf(live), copy: id, from, ...(paths && { paths }), ...(keep && { keep }) }
  const { success, data } = Files.safeParse(await liveRead(app, live.server.id, 'document-root.changes', look))
  if (!success) throw refused(`The agent of ${live.server.name} is too old for this: update it first`)
  const [missing] = data.unknown
  if (missing !== undefined)
    throw refused(`Neither ${live.domain} nor its copy has ${missing}`, { paths: `There is no ${missing}` })
  return data
}

/** Predicate for the tables of a database that are merged; undefined if none is. */
function takes(tables: Parts['tables'] = 'all', databaseId: number): ((name: string) => boolean) | undefined {
  if (tables === 'none') return undefined
  if (tables === 'all') return () => true
  const chosen = new Set(tables.flatMap((one) => (one.databaseId === databaseId ? one.tables : [])))
  return chosen.size ? (name) => chosen.has(name) : undefined
}

/**
 * Throws 409 with the changes of the live website, unless there are none or the caller confirmed this state by its
 * digest.
 */
export function confirmed(changes: LiveChanges, seen: string | undefined, domain: string): void {
  if (seen === changes.digest) return
  const untouched = changes.known && !changes.added && !changes.changed && !changes.gone && !changes.tables.length
  if (seen === undefined && untouched) return
  if (seen !== undefined && seen.split('-')[0] !== changes.digest.split('-')[0])
    throw conflict('You looked at other files or tables than this merge takes: look at these, and confirm them', {
      current: changes,
      fields: { seen: 'Of another selection' },
    })
  const what = seen === undefined ? 'it was copied' : 'you looked'
  const text = changes.known
    ? `${domain} has changed since ${what}: check what a merge overwrites, and confirm it.${seen === undefined ? '' : ' If visitors change it all the time, merge only files, folders and tables that they do not write to'}`
    : `The state of ${domain} when it was copied is unknown: check what a merge overwrites, and confirm it`
  throw conflict(text, { current: changes, fields: { seen: 'Out of date' } })
}
