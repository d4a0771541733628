import type { ImportItem, ImportRun, Source } from '@innkeeper/contract/quality/qc/sourceShapes'
import { eq } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Db } from '../../../kit/db/db.ts'
import { isAway } from '../../../kit/db/failures.ts'
import { changed } from '../../../kit/live/live.ts'
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

/** The database is away: nothing is known about the items that were to be written. */
class Away extends Error {}

/**
 * Imports everything that a source yields, in batches. An item that cannot be written is refused alone. While the
 * database is away, nothing is refused: the run stops, and its cursor stays before the items that were not written.
 */
export async function importItems(
  db: Db,
  log: Logger,
  {
    items,
    sourceId,
    via,
    startedBy,
    again = [],
    keep,
  }: {
    items: Items
    sourceId: number
    via: ImportRun['via']
    startedBy: number | null
    /** Ids of items that earlier runs could not read. */
    again?: readonly string[]
    /** Stores the cursor of a run that goes on, so that a run which is killed continues there. */
    keep?: (cursor: string) => Promise<void>
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
    for (const { item } of some) if (wasUnread.has(item.id)) settled.push(item.id)
  }
  const stopIfAway = (cause: unknown) => {
    if (isAway(cause)) throw new Away('the database did not answer: the next run reads these items again', { cause })
  }
  const flush = async () => {
    const some = batch
    batch = []
    try {
      if (some.length) await write(some)
    } catch (error) {
      stopIfAway(error)
      log.warn({ err: error }, 'a batch of an import is written item by item')
      for (const one of some)
        await write([one]).catch((cause: unknown) => {
          stopIfAway(cause)
          log.warn({ err: cause, line: one.line }, 'an item of an import is refused')
          refuse(one.line, 'the database refused the item')
        })
    }
    cursor = read
    if (cursor && !unread.length) await keep?.(cursor)
  }
  let messages = 0
  /** Cursor of what was read, and of what is stored. */
  let read: string | undefined
  let cursor: string | undefined
  let error: string | null = null
  const result = (): Made => ({
    ...{ ...made, ...counts, sourceId, via, startedBy, problems, unread, settled, error },
    ...(cursor && { cursor }),
  })
  try {
    for await (const one of items) {
      made.lines += 1
      read = one.cursor ?? read
      if ('reason' in one) {
        refuse(one.line, one.reason)
        if (one.unread) unread.push(one.unread)
        if (one.gone) settled.push(one.gone)
        continue
      }
      batch.push(one)
      messages += one.item.messages.length
      if (batch.length < ITEMS && messages < MESSAGES) continue
      await flush()
      messages = 0
    }
  } catch (cause) {
    error = reasonOf(cause, via)
    if (cause instanceof Away) return result()
  }
  // after a help desk that stopped to answer, the items read so far are stored; the next run continues after them
  await flush().catch((cause: unknown) => {
    error = reasonOf(cause, via)
  })
  return result()
}

/** Why a run ended early. Throws if its sender has to send again, and for errors of Innkeeper. */
function reasonOf(cause: unknown, via: ImportRun['via']): string {
  if (cause instanceof NotAnswered || (cause instanceof Away && via === 'pull')) return cause.message
  throw cause instanceof Away ? cause.cause : cause
}

/** What an adapter reads, as a text to compare: cursor and unread items belong to it. */
export const placeOf = ({ type, config }: Pick<Source, 'type' | 'config'>): string =>
  JSON.stringify([config.url, config.queue, (type === 'xmpp' || type === 'chatwoot') && config.user])

/** Stores how far a run has come, unless the help desk was replaced during the run. */
export async function keepCursor(db: Db, sourceId: number, place: string, cursor: string): Promise<void> {
  const [source] = await db.select().from(qcSources).where(eq(qcSources.id, sourceId))
  if (source && placeOf(source) === place) await db.update(qcSources).set({ cursor }).where(eq(qcSources.id, sourceId))
}

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
