import { setImmediate as breathe } from 'node:timers/promises'
import { type and, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Db, rows } from '../db/db.ts'
import { cutBefore } from './anchor.ts'
import { type Broken, beginning, type Place, walk } from './seal.ts'
import { actionLogChecks as checks } from './tables.ts'

export type Check = typeof checks.$inferSelect

/** Milliseconds of verification before the worker yields and stores the progress. */
const TURN_MS = 500

/**
 * Requests a verification from the end of the last successful one. It starts at the first seal if `whole`, or if the
 * last verification found a broken seal, which a later part of the chain would hide. Returns the running verification
 * if there is one.
 */
export async function askCheck(db: Db, startedBy: string, whole: boolean): Promise<Check> {
  await db.execute(sql`lock table action_log_checks in share row exclusive mode`)
  const running = await lastCheck(db, isNull(checks.endedAt))
  if (running) return running
  const last = await lastCheck(db, isNotNull(checks.endedAt))
  const good = whole || last?.brokenPosition ? undefined : last
  const { position, hash }: Place = good ?? beginning
  const [end] = await rows<{ position: number }>(
    db,
    sql`select coalesce(max(position), 0)::int as position from action_log_seals`,
  )
  const [made] = await db
    .insert(checks)
    .values({
      startedBy,
      whole: position === 0,
      behind: position,
      position,
      hash,
      upTo: Math.max(position, end!.position),
    })
    .returning()
  return made! // one inserted row returns one row
}

/** Stores a check that says that the anchored end is missing. Returns false if the last check already says so. */
export async function noteBroken(db: Db, anchored: Place, broken: Broken): Promise<boolean> {
  const last = await lastCheck(db, isNotNull(checks.endedAt))
  if (last?.brokenPosition === broken.position && last.brokenReason === broken.reason) return false
  await db.insert(checks).values({
    ...{ startedBy: 'Innkeeper', whole: false, behind: broken.position - 1, position: broken.position - 1 },
    ...{ upTo: anchored.position, hash: anchored.hash, endedAt: sql`now()` },
    ...{ brokenPosition: broken.position, brokenRowId: broken.rowId, brokenReason: broken.reason },
  })
  return true
}

export async function lastCheck(db: Db, which: ReturnType<typeof and>): Promise<Check | undefined> {
  const [found] = await db.select().from(checks).where(which).orderBy(desc(checks.id)).limit(1)
  return found
}

/** Continues the running verification for a moment, up to the anchored end. Returns true if more remains. */
export async function checkOn(db: Db, anchored?: Place): Promise<boolean> {
  for (const end = Date.now() + TURN_MS; ; await breathe()) {
    const going = await db.transaction(async (tx) => {
      const [check] = await tx
        .select()
        .from(checks)
        .where(isNull(checks.endedAt))
        .limit(1)
        .for('update', { skipLocked: true })
      if (!check) return undefined
      const { place, broken, ended } = await walk(tx, check)
      // true if seals that existed at the request are missing now
      const cut = ended && !broken && place.position < check.upTo
      const shorter = cut ? { position: place.position + 1, rowId: null, reason: 'missing' as const } : broken
      const isOver = shorter !== undefined || place.position >= check.upTo
      const found = shorter ?? (isOver ? await cutBefore(tx, anchored) : undefined)
      await tx
        .update(checks)
        .set({
          ...place,
          ...(isOver && { endedAt: sql`now()` }),
          ...(found && { brokenPosition: found.position, brokenRowId: found.rowId, brokenReason: found.reason }),
        })
        .where(eq(checks.id, check.id))
      return !isOver
    })
    if (!going) return going === false
    if (Date.now() > end) return true
  }
}
