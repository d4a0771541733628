import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Replica, ReplicaState } from '../db.ts'
import { reasonOf } from '../failures.ts'
import type { OpenPool } from './pool.ts'
import { readText } from './prepared.ts'

/** How long a read waits until the standby has what was committed before the read began. */
const PATIENCE_MS = 50
const LOOK_MS = 2
/** Time between two looks. Between them reads go to the primary at once if the standby was late or away. */
const LOOKS_MS = 1_000
/** A standby that does not say its position for so long is away. */
const SILENT_MS = 3_000

/** A position in the write-ahead log, in bytes. */
type Position = number

export function openReplica(standby: OpenPool, primary: Db): Replica {
  const reads = { standby: 0, primary: 0 }
  const closing = new AbortController()
  let isKnown = false
  let behind: number | undefined
  let problem: ReplicaState['problem']

  const positionOfPrimary = sharedByAll(async (): Promise<Position> => {
    // what is flushed contains every commit that was acknowledged
    const text = `select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 as at`
    const [row] = await readText<{ at: number }>(primary, text, [], 'kept')
    return row?.at ?? Number.POSITIVE_INFINITY
  })
  const positionOfStandby = sharedByAll(async (): Promise<Position> => {
    if (!isKnown) await isSameCluster(standby, primary)
    isKnown = true
    // null of a promoted standby: a server that takes writes of its own has other contents
    const text = `select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') end::float8 as at`
    const [row] = await inTime(readText<{ at: number | null }>(standby.db, text, [], 'kept'))
    if (row?.at === null || row?.at === undefined) throw new Error('is no standby any more')
    return row.at
  })
  const rest = (reason: string) => {
    problem = { reason, since: problem?.since ?? Date.now() }
  }

  /** Whether the standby has everything up to a position of the primary; waits a moment for it. */
  async function has(wanted: Position): Promise<boolean> {
    const end = performance.now() + PATIENCE_MS
    try {
      for (;;) {
        const at = await positionOfStandby()
        behind = Math.max(0, wanted - at)
        if (!behind) return true
        if (performance.now() > end) break
        await sleep(LOOK_MS)
      }
      rest(`is ${behind} bytes behind`)
    } catch (error) {
      if (standby.isAway()) return false // another read failed first, and closed the connections
      isKnown = false
      behind = undefined
      rest(reasonOf(error))
      standby.reached(false) // statements on stalled connections would wait for minutes
    }
    return false
  }
  /** Asks also while nobody reads, so that a standby that comes back, stalls or falls behind is noticed. */
  async function look(): Promise<void> {
    while (!closing.signal.aborted) {
      standby.reached(true)
      const wanted = await positionOfPrimary().catch(() => undefined) // the primary is away, which others notice
      if (wanted !== undefined && (await has(wanted))) problem = undefined
      await sleep(LOOKS_MS, undefined, { ref: false, signal: closing.signal }).catch(() => {}) // it closes
    }
  }
  const looking = look()

  return {
    db: standby.db,
    async read(work, isAnswer) {
      if (!problem && (await has(await positionOfPrimary())))
        try {
          const answer = await work(standby.db)
          reads.standby++
          return answer
        } catch (error) {
          if (isAnswer(error)) throw error
          // a conflict with what the standby replays, a read that writes, or a lost connection
        }
      reads.primary++
      return work(primary)
    },
    state: () => ({ reads: { ...reads }, behind, ...(problem && { problem }) }),
    async close() {
      closing.abort()
      standby.reached(false)
      await looking
      await standby.end()
    },
  }
}

/** A standby of another installation has rows of other people. */
async function isSameCluster(standby: OpenPool, primary: Db): Promise<void> {
  const text = 'select system_identifier::text as id, current_database() as name from pg_control_system()'
  const [own, other] = await Promise.all(
    [primary, standby.db].map((db) => inTime(readText<{ id: string; name: string }>(db, text, [], 'once'))),
  )
  if (own?.[0]?.id !== other?.[0]?.id || own?.[0]?.name !== other?.[0]?.name)
    throw new Error('is no standby of the database in DATABASE_URL')
}

function inTime<T>(asked: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('does not answer')), SILENT_MS)
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}

/** Callers who come while `ask` runs share the next run, which begins after they came. */
function sharedByAll<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const run = () => {
    next = undefined
    const mine = ask().finally(() => {
      if (running === mine) running = undefined
    })
    running = mine
    return mine
  }
  return () => {
    if (!running) return run()
    next ??= running.then(run, run)
    return next
  }
}
