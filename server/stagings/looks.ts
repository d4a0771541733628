import { HeldMail, LiveChanges } from '@innkeeper/contract/stagings'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import * as z from 'zod'
import { databases } from '../databases/tables.ts'
import type { App } from '../kit/app.ts'
import { liveRead } from '../kit/liveRead.ts'
import { readSite } from '../websites/site.ts'
import { pairsOf, readStaging } from './read.ts'
import { placeOf } from './steps.ts'
import type { TablesThen } from './tables.ts'

/** Counting each row and reading each file takes its time; people wait for it before they merge. */
const ANSWER_MS = 60_000
const Files = LiveChanges.pick({ known: true, added: true, changed: true, gone: true })
  .extend({ at: LiveChanges.shape.at.optional(), items: LiveChanges.shape.files })
  .partial({ added: true, changed: true, gone: true, items: true })
const Now = z.object({
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sum: z.string().nullable() })).default([]),
})
type Table = TablesThen['tables'][number]

export async function readChanges(app: App, id: number): Promise<LiveChanges> {
  const staging = await readStaging(app.db, id)
  const [live, pairs] = [await readSite(app.db, staging.liveId), await pairsOf(app.db, id)]
  const look = { ...placeOf(live), copy: id }
  const files = Files.parse(await liveRead(app, live.server.id, 'document-root.changes', look, ANSWER_MS))
  const found: Pick<LiveChanges, 'tables' | 'choices'> = { tables: [], choices: [] }
  for (const { live: database, copy } of pairs) {
    const ask = (name: string, deep: boolean) =>
      liveRead(app, live.server.id, 'database.inspect', { name, deep }, ANSWER_MS)
    const now = Now.parse(await ask(database.name, true)).tables
    const then = staging.tables?.find(({ databaseId }) => databaseId === database.id)?.tables
    const of = { databaseId: database.id, database: database.name }
    if (then) found.tables.push(...compared(then, now).map((one) => ({ ...of, ...one })))
    const theirs = z
      .object({ tables: z.array(z.object({ name: z.string() })).default([]) })
      .parse(await ask(copy.name, false))
    found.choices.push({ ...of, tables: theirs.tables.map(({ name }) => name) })
  }
  const { known, at = null, added = 0, changed = 0, gone = 0, items = [] } = files
  return { known, at, added, changed, gone, files: items, ...found }
}

/** Tables whose rows or sum are others, by name. */
export function compared(then: readonly Table[], now: readonly Table[]) {
  const was = new Map(then.map((one) => [one.name, one]))
  const is = new Map(now.map((one) => [one.name, one]))
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((name) => {
    const [before, after] = [was.get(name), is.get(name)]
    const rows = { name, rowsThen: before?.rows ?? null, rows: after?.rows ?? null }
    if (!before) return { ...rows, what: 'added' as const }
    if (!after) return { ...rows, what: 'gone' as const }
    const same = before.rows === after.rows && before.sum === after.sum
    return same ? [] : { ...rows, what: 'changed' as const }
  })
}

export async function readHeldMail(app: App, id: number): Promise<HeldMail> {
  await readStaging(app.db, id)
  const { server, systemUser } = await readSite(app.db, id)
  return HeldMail.parse(await liveRead(app, server.id, 'held-mail.list', { username: systemUser.username }))
}

/** Those of a website that can be copied. */
export const copyable = (db: App['db'], websiteId: number) =>
  db
    .select()
    .from(databases)
    .where(and(eq(databases.websiteId, websiteId), inArray(databases.status, ['active']), isNull(databases.deletedAt)))
    .orderBy(databases.id)
