import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { type Db, rows } from '../db/db.ts'
import { type Broken, beginning, type Place, walk } from './seal.ts'

/** Age at which a seal is anchored. A power cut can lose only younger seals of the embedded database. */
const SETTLED_MS = 5_000

const Stored = z.object({ position: z.int().min(0), hash: z.string() })

/** The anchor file cannot be read or written. */
export class NoAnchor extends Error {}

/** Writes the file so that a power cut leaves the former or the new content. */
function replaceFile(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  } catch (error) {
    throw new NoAnchor(`${file} cannot be written`, { cause: error })
  }
}

/**
 * Stores the end of the chain in a file outside the database. If somebody deletes the last rows together with their
 * seals, the rest is still a valid chain; only the file reveals the deletion. Access to the database does not give
 * access to it.
 */
export function openAnchor(file: string) {
  /** Ends of the chain that are too recent to be anchored, oldest first. */
  const waiting: { place: Place; at: number }[] = []
  return {
    /** Undefined if there is no file. Throws NoAnchor if the file is damaged or cannot be read. */
    read(): Place | undefined {
      try {
        return Stored.parse(JSON.parse(readFileSync(file, 'utf8')))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw new NoAnchor(`${file} cannot be read`, { cause: error })
      }
    },
    /** Anchors this end of the chain some seconds later. Throws NoAnchor if the file cannot be written. */
    note(place: Place, now = Date.now()): void {
      if (waiting.at(-1)?.place.position !== place.position) waiting.push({ place, at: now })
      const settled = waiting.findLastIndex(({ at }) => now - at >= SETTLED_MS)
      waiting.splice(0, settled)
      const [due] = waiting
      if (settled < 0 || !due) return
      if (due.place.position > (this.read()?.position ?? 0)) replaceFile(file, `${JSON.stringify(due.place)}\n`)
      waiting.shift() // not before, so that a failure is followed by another attempt
    },
  }
}
export type Anchor = ReturnType<typeof openAnchor>

/** Deletes the anchor. A restore calls this, because the restored chain may be shorter. */
export const dropAnchor = (file: string): void => rmSync(file, { force: true })

/**
 * Where the anchored seal or its row is missing or altered; undefined if both are unchanged. Only a verification
 * finds earlier rows that were changed.
 */
export async function cutBefore(db: Db, anchored: Place | undefined): Promise<Broken | undefined> {
  if (!anchored) return undefined
  const { position } = anchored
  const [found] = await rows<{ hash: string | null; before: string | null; end: number; rowId: number | null }>(
    db,
    sql`select s.hash, s.action_log_id::int as "rowId",
        (select hash from action_log_seals where position = ${position - 1}) as before,
        (select coalesce(max(position), 0)::int from action_log_seals) as "end"
      from (select) one left join action_log_seals s on s.position = ${position}`,
  )
  if (!found) return undefined
  const { hash, before, end, rowId } = found
  if (hash === null) return { position: Math.min(end + 1, position), rowId: null, reason: 'missing' }
  if (hash !== anchored.hash) return { position, rowId, reason: 'altered' }
  if (position > 1 && before === null) return { position: position - 1, rowId: null, reason: 'missing' }
  return (await walk(db, before === null ? beginning : { position: position - 1, hash: before }, 1)).broken
}
