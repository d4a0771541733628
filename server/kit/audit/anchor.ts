import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { type Db, rows } from '../db/db.ts'
import type { Broken, Place } from './seal.ts'

/** Age at which a seal is anchored. A power cut can lose only younger seals of the embedded database. */
const SETTLED_MS = 5_000

const Stored = z.object({ position: z.int().min(0), hash: z.string() })

/**
 * Stores the end of the chain in a file outside the database. If somebody deletes the last rows together with their
 * seals, the rest is still a valid chain; only the file reveals the deletion. Access to the database does not give
 * access to it.
 */
export function openAnchor(file: string) {
  /** Ends of the chain that are too recent to be anchored, oldest first. */
  const waiting: { place: Place; at: number }[] = []
  return {
    read(): Place | undefined {
      try {
        return Stored.parse(JSON.parse(readFileSync(file, 'utf8')))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    /** Anchors this end of the chain some seconds later. */
    note(place: Place, now = Date.now()): void {
      if (waiting.at(-1)?.place.position !== place.position) waiting.push({ place, at: now })
      let settled: Place | undefined
      while (waiting[0] && now - waiting[0].at >= SETTLED_MS) settled = waiting.shift()?.place
      if (!settled || settled.position <= (this.read()?.position ?? 0)) return
      writeFileSync(`${file}.new`, `${JSON.stringify(settled)}\n`, { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}
export type Anchor = ReturnType<typeof openAnchor>

/** Deletes the anchor. A restore calls this, because the restored chain may be shorter. */
export const dropAnchor = (file: string): void => rmSync(file, { force: true })

/** The missing or altered anchored seal; undefined if the chain still has it. */
export async function cutBefore(db: Db, anchored: Place | undefined): Promise<Broken | undefined> {
  if (!anchored) return undefined
  const [found] = await rows<{ hash: string | null; end: number; rowId: number | null }>(
    db,
    sql`select s.hash, s.action_log_id::int as "rowId",
        (select coalesce(max(position), 0)::int from action_log_seals) as "end"
      from (select) one left join action_log_seals s on s.position = ${anchored.position}`,
  )
  if (!found || found.hash === anchored.hash) return undefined
  const { hash, end, rowId } = found
  if (hash !== null) return { position: anchored.position, rowId, reason: 'altered' }
  return { position: Math.min(end + 1, anchored.position), rowId: null, reason: 'missing' }
}
