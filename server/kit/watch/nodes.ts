import { randomUUID } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { sql } from 'drizzle-orm'
import type { App } from '../app/app.ts'
import { programVersion } from '../app/serverFolder.ts'
import { type Db, rows } from '../db/db.ts'
import { type Rounds, repeat } from '../work/schedule.ts'
import { nodes } from './tables.ts'

const EVERY_MS = 20_000
/** Seconds without a report after which a process counts as gone. */
export const GONE_S = 120
/** Beyond three of its intervals and this time, a schedule is late. */
const LATE_MS = 300_000

/** Names of the schedules that have not succeeded for long. `sinceMs`: when this process started. */
export function lateOf(rounds: Rounds, now: number, sinceMs: number): string[] {
  return [...rounds].flatMap(([name, { everyMs, succeededAt }]) =>
    now - Math.max(succeededAt, sinceMs) > 3 * everyMs + LATE_MS ? name : [],
  )
}

/** Reports this process to the table of nodes as long as it runs. */
export function startReporting(app: App, port: number | undefined): { stop(): Promise<void> } {
  const instance = randomUUID()
  const startedAt = new Date()
  const { settings } = app
  const name = `${hostname()}:${port ?? settings.workerPort ?? 'worker'}`
  const stop = repeat(app, {
    name: 'report of this process',
    everyMs: EVERY_MS,
    async work({ db, rounds = new Map() }) {
      const { bavail, blocks, bsize } = await statfs(settings.dataDir)
      await report(db, {
        ...{ instance, name, startedAt: startedAt.toISOString(), version: programVersion },
        ...{ roles: [...settings.roles], late: lateOf(rounds, Date.now(), startedAt.getTime()) },
        ...{ diskFree: bavail * bsize, diskTotal: blocks * bsize, clockMs: await clockOf(db) },
      })
    },
  })
  return {
    async stop() {
      await stop()
      if (!app.database.isAway()) await app.db.execute(sql`delete from nodes where instance = ${instance}`)
    },
  }
}

type Report = Omit<typeof nodes.$inferInsert, 'id' | 'at'>

/** A process that has started again replaces the one of the same name that was killed. */
export async function report(db: Db, seen: Report): Promise<void> {
  await db
    .insert(nodes)
    .values(seen)
    .onConflictDoUpdate({ target: nodes.instance, set: { ...seen, at: sql`now()` } })
  await db.execute(sql`delete from nodes where name = ${seen.name} and instance <> ${seen.instance}
    and at < now() - make_interval(secs => ${GONE_S / 2})`)
}

/** By how many milliseconds the clock of this machine is ahead; 0 if the answer took too long to tell. */
async function clockOf(db: Db): Promise<number> {
  const before = Date.now()
  const [found] = await rows<{ ms: number }>(
    db,
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  )
  const after = Date.now()
  const ahead = Math.round((before + after) / 2 - (found?.ms ?? before))
  return Math.abs(ahead) > after - before ? Math.max(-2e9, Math.min(2e9, ahead)) : 0
}
