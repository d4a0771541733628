import type { ImportItem, ImportRun, Source } from '@innkeeper/contract/qc/sourceShapes'
import { eq } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Db } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { NotAnswered } from './adapters/ask.ts'
import { writeBatch } from './batch.ts'
import type { Items } from './source.ts'
import { type Problem, qcImportRuns, qcSources } from './tables.ts'

/** Maximum number of items in one transaction; `MESSAGES`: maximum number of messages of these items. */
const ITEMS = 200
const MESSAGES = 5000
/** Maximum number of refused lines that a run stores with their reason. */
const SHOWN = 100

interface Made extends Omit<ImportRun, 'id' | 'endedAt'> {
  startedBy: number | null
  /** Cursor of an adapter: all items before it are stored. */
  cursor?: string
  /** Ids of items that a later run reads again, and of those that earlier runs could not read and this run settled. */
  unread: string[]
  settled: string[]
  /** Where an adapter read: `placeOf` at the start of the run. */
  place?: string
}

/** Imports everything that a source yields, in batches. An item that cannot be written is refused alone. */
export async function importItems(
  db: Db,
  log: Logger,
  {
    items,
    sourceId,
    via,
    startedBy,
    again = [],
  }: {
    items: Items
    sourceId: number
    via: ImportRun['via']
    startedBy: number | null
    /** Ids of items that earlier runs could not read. */
    again?: readonly string[]
  },
): Promise<Made> {
  const counts = { added: 0, changed: 0, unchanged: 0 }
  const made = { startedAt: new Date().toISOString(), lines: 0, refused: 0 }
  const problems: Problem[] = []
  const unread: string[] = []
  const settled: string[] = []
  const wasUnread = new Set(again)
  let batch: { line: number; item: ImportItem }[] = []
  const refuse = (line: number, reason: string) => {
    made.refused += 1
    if (problems.length < SHOWN) problems.push({ line, reason })
  }
  const write = async (some: typeof batch) => {
    const done = await db.transaction((tx) =>
      writeBatch(
        tx,
        sourceId,
        some.map(({ item }) => item),
      ),
    )
    for (const key of ['added', 'changed', 'unchanged'] as const) counts[key] += done[key]
  }
  const flush = async () => {
    const some = batch
    batch = []
    if (!some.length) return
    try {
      await write(some)
    } catch (error) {
      log.warn({ err: error }, 'a batch of an import is written item by item')
      for (const one of some)
        await write([one]).catch((cause: unknown) => {
          log.warn({ err: cause, line: one.line }, 'an item of an import is refused')
          refuse(one.line, 'the database refused the item')
        })
    }
  }
  let messages = 0
  let cursor: string | undefined
  let error: string | null = null
  try {
    for await (const read of items) {
      made.lines += 1
      cursor = read.cursor ?? cursor
      if ('reason' in read) {
        refuse(read.line, read.reason)
        if (read.unread) unread.push(read.unread)
        if (read.gone) settled.push(read.gone)
        continue
      }
      if (wasUnread.has(read.item.id)) settled.push(read.item.id)
      batch.push(read)
      messages += read.item.messages.length
      if (batch.length < ITEMS && messages < MESSAGES) continue
      await flush()
      messages = 0
    }
  } catch (cause) {
    if (!(cause instanceof NotAnswered)) throw cause
    error = cause.message // the items read so far are stored below; the next run continues after them
  }
  await flush()
  return { ...made, ...counts, sourceId, via, startedBy, problems, unread, settled, error, ...(cursor && { cursor }) }
}

/** What an adapter reads, as a text to compare: cursor and unread items belong to it. */
export const placeOf = ({ type, config }: Pick<Source, 'type' | 'config'>): string =>
  JSON.stringify([config.url, config.queue, type === 'xmpp' && config.user])

/** Writes the row of a run, in the last transaction of the call. */
export async function keepRun(db: Db, { cursor, unread, settled, place, ...made }: Made): Promise<ImportRun> {
  const [source] = await db.select().from(qcSources).where(eq(qcSources.id, made.sourceId)).for('update')
  const [run] = await db
    .insert(qcImportRuns)
    .values({ ...made, endedAt: new Date().toISOString() })
    .returning()
  // the cursor of another help desk, whose address was replaced during the run, is of no use
  const isSame = source !== undefined && place === placeOf(source)
  // another run may have ended meanwhile: its unread items stay
  const attempted = new Set([...unread, ...settled])
  const others = source?.unread.filter((id) => !attempted.has(id)) ?? []
  await db
    .update(qcSources)
    .set({
      lastImportAt: run!.endedAt,
      ...(made.via === 'pull' && { lastPullAt: made.startedAt }),
      ...(isSame && { unread: [...others, ...new Set(unread)], ...(cursor && { cursor }) }),
    })
    .where(eq(qcSources.id, made.sourceId)) // one inserted row
  await changed(db, 'qc')
  const { startedBy: _, ...shown } = run!
  return shown
}
