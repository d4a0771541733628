import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { App } from './app.ts'
import { type Db, isAway, rows } from './db.ts'

const EVERY_MS = 1000
const BATCH = 1000
/** How many numbers later than its neighbours a long transaction may commit; at start-up all are looked at. */
const LATE = 10_000
const SEALING = 4_400_002
const START = 'innkeeper action log'

interface LogRow {
  id: number
  text: string
}

/** Hash of a row and of the seal before it: to change one row is to change all seals after it. */
const sealOf = (before: string, row: LogRow) =>
  createHash('sha256').update(`${before}\n${row.id}\n${row.text}`).digest('hex')

/** The row as text, the same on every node and version: JSON as PostgreSQL writes a jsonb. */
const rowText = sql`jsonb_build_array(l.action_log_id, extract(epoch from l.at)::text, l.staff_id, l.staff_name, l.service, l.action,
  l.resource, l.resource_id, l.result, l.before, l.after, l.workflow_id, l.ip, l.request_id)::text`

/** Chains what was logged since the last time. In-line chaining would have all writers wait for each other. */
export function sealNext(db: Db, lookBack = LATE): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${SEALING})`)
    const [last] = await rows<{ position: number; hash: string }>(
      tx,
      sql`select position::int, hash from action_log_seals order by position desc limit 1`,
    )
    // a row of a transaction that is still open may have a lower number than one that is committed: order of sealing, not of number
    const open = await rows<LogRow>(
      tx,
      sql`select l.action_log_id::int as id, ${rowText} as text from action_logs l
        left join action_log_seals s on s.action_log_id = l.action_log_id
        where s.action_log_id is null
          and l.action_log_id > coalesce((select max(action_log_id) from action_log_seals), 0) - ${lookBack}::bigint
        order by l.action_log_id limit ${BATCH}`,
    )
    let { position, hash } = last ?? { position: 0, hash: START }
    const seals = open.map((row) => {
      hash = sealOf(hash, row)
      position += 1
      return sql`(${position}, ${row.id}, ${hash})`
    })
    if (seals.length)
      await tx.execute(
        sql`insert into action_log_seals (position, action_log_id, hash) values ${sql.join(seals, sql`, `)}`,
      )
    return seals.length
  })
}

/** Walks the chain. Answers the number of the first row that was altered, taken out or moved, or nothing. */
export async function brokenSeal(db: Db): Promise<{ position: number; reason: 'altered' | 'missing' } | undefined> {
  let hash = START
  let position = 0
  for (;;) {
    const batch = await rows<LogRow & { position: number; hash: string; present: boolean }>(
      db,
      sql`select s.position::int, s.hash, s.action_log_id::int as id, l.action_log_id is not null as present, ${rowText} as text
        from action_log_seals s left join action_logs l on l.action_log_id = s.action_log_id
        where s.position > ${position} order by s.position limit ${BATCH}`,
    )
    for (const row of batch) {
      if (row.position !== position + 1) return { position: position + 1, reason: 'missing' }
      if (!row.present) return { position: row.position, reason: 'missing' }
      hash = sealOf(hash, row)
      if (hash !== row.hash) return { position: row.position, reason: 'altered' }
      position = row.position
    }
    if (batch.length < BATCH) return undefined
  }
}

/** Every second, in whichever worker is first. */
export function startSealing(app: App): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const loop = (async () => {
    let lookBack = Number.MAX_SAFE_INTEGER
    while (!stopping.signal.aborted) {
      try {
        while ((await sealNext(app.db, lookBack)) === BATCH);
        lookBack = LATE
      } catch (error) {
        if (!isAway(error)) app.log.error({ err: error }, 'the action log could not be sealed')
      }
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {}) // told to stop
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
