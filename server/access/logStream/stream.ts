import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import type { WatchSettings } from '../../kit/app/watchSettings.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { NotReached } from '../../kit/outgoing/notReached.ts'
import { operatorsReach } from '../../kit/outgoing/reach.ts'
import { sendSigned } from '../../kit/outgoing/signed.ts'
import { readLogs } from '../log/view.ts'
import { framed, type SealedRow, sendFrames, syslogOf } from './syslog.ts'

type Target = NonNullable<WatchSettings['logStream']>

/** Rows and bytes that are sent together; a single longer row is sent alone. */
const [AT_ONCE, MOST_BYTES] = [500, 2_000_000]
const PATIENCE_MS = 20_000
/** The time of one batch, during which no other process streams. */
const HELD_S = 60
/** Longest pause after a failure. */
const PAUSE_MS = 60_000

/** How this process stands with the receiver. */
interface Standing {
  holder: string
  failures: number
  nextAt: number
}
const standings = new WeakMap<App['database'], Standing>()

/**
 * Streams sealed rows of the action log in the order of the chain, as long as there are any. A batch counts as sent once
 * the receiver has taken it, so that a row arrives at least once. One process at a time streams.
 */
export async function streamLog(app: App): Promise<void> {
  const target = app.settings.logStream
  if (!target) return
  const standing = standings.get(app.database) ?? { holder: randomUUID(), failures: 0, nextAt: 0 }
  standings.set(app.database, standing)
  for (let more = performance.now() >= standing.nextAt; more; ) more = await sendBatch(app, target, standing)
}

/** Returns whether there may be more. */
async function sendBatch(app: App, target: Target, standing: Standing): Promise<boolean> {
  const { db } = app
  const position = await hold(db, standing.holder)
  if (position === undefined) return false
  const batch = await after(db, position)
  const last = batch.at(-1)
  if (!last) return false
  try {
    await post(app, target, batch)
    standing.failures = 0
    await note(db, standing, sql`position = ${last.seal}, sent_at = now(), failing_since = null, error = null`)
    return true
  } catch (error) {
    standing.nextAt = performance.now() + Math.min(PAUSE_MS, 1000 * 2 ** standing.failures)
    standing.failures += 1
    const why = wordsOf(error)
    await note(db, standing, sql`failing_since = coalesce(failing_since, now()), error = ${why}`)
    return false
  }
}

const note = (db: Db, { holder }: Standing, set: ReturnType<typeof sql>) =>
  db.execute(sql`update log_streams set ${set} where holder = ${holder}`)

/** The operator wrote the address, and may read why it is not reached. */
function wordsOf(error: unknown): string {
  const cause = error instanceof NotReached ? error.cause : error
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, 300)
}

/** The position after which this process may send; undefined while another one streams. The first begins now. */
async function hold(db: Db, holder: string): Promise<number | undefined> {
  const until = sql`now() + make_interval(secs => ${HELD_S})`
  const [held] = await rows<{ position: number }>(
    db,
    sql`insert into log_streams (position, holder, held_until)
      values ((select coalesce(max(position), 0) from action_log_seals), ${holder}, ${until})
      on conflict ("only") do update set holder = excluded.holder, held_until = excluded.held_until
        where log_streams.holder is not distinct from excluded.holder or log_streams.held_until is null
          or log_streams.held_until < now()
      returning position::int`,
  )
  return held?.position
}

async function after(db: Db, position: number): Promise<(SealedRow & { seal: number })[]> {
  const sealed = await rows<{ id: number; seal: number; hash: string }>(
    db,
    sql`select action_log_id::int as id, position::int as seal, hash from action_log_seals
      where position > ${position} order by position limit ${AT_ONCE}`,
  )
  const found = await readLogs(
    db,
    sealed.map(({ id }) => id),
  )
  const byId = new Map(found.map((row) => [row.id, row]))
  let bytes = 0
  const batch: (SealedRow & { seal: number })[] = []
  for (const { id, seal, hash } of sealed) {
    const row = byId.get(id)
    if (!row) throw new Error(`row ${id} of the action log is missing below its seal ${seal}`)
    bytes += JSON.stringify(row).length
    if (batch.length && bytes > MOST_BYTES) break
    batch.push({ ...row, seal, hash })
  }
  return batch
}

async function post(app: App, { url, secret, tls }: Target, batch: readonly (SealedRow & { seal: number })[]) {
  const reach = operatorsReach(app)
  const to = new URL(url)
  if (to.protocol === 'syslog+tls:') {
    const host = app.settings.publicHost ?? hostname()
    const frames = batch.map((row) => framed(syslogOf(row, host))).join('')
    return sendFrames(reach, { host: to.hostname, port: Number(to.port) || 6514, tls, patienceMs: PATIENCE_MS }, frames)
  }
  const { status } = await sendSigned(reach, {
    ...{ url: to, tls, patienceMs: PATIENCE_MS, mostBytes: 2000, userAgent: 'Innkeeper-Log/1' },
    ...{
      id: `log_${batch[0]?.seal}-${batch.at(-1)?.seal}`,
      type: 'application/x-ndjson',
      secrets: secret ? [secret] : [],
    },
    body: batch.map((row) => `${JSON.stringify(row)}\n`).join(''),
  })
  if (status < 200 || status >= 300) throw new Error(`the receiver answered ${status}`)
}
