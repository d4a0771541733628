import { sql } from 'drizzle-orm'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { App } from '../app/app.ts'
import { programVersion } from '../app/serverFolder.ts'
import { rows } from '../db/db.ts'
import type { Rounds } from '../work/schedule.ts'
import type { Metric } from './metric.ts'

/** Figures of the database are read at most this often by a node, however often it is asked. */
const FRESH_MS = 10_000

export interface Watched {
  /** Open sockets, where this process has any. */
  sockets?: () => number
  /** Rounds of the schedules, where this process is a worker. */
  rounds?: Rounds
}

/** All metrics of a process: its own, and those of the installation, which every process can tell. */
export function openRegistry({ database, metrics }: Pick<App, 'database' | 'metrics'>, watched: Watched): Registry {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: 'innkeeper_build', help: 'The version that runs', labelNames: ['version'], registers }).set(
    { version: programVersion },
    1,
  )
  new Gauge({
    name: 'innkeeper_database_up',
    help: 'Whether the database can be reached: 1 or 0',
    registers,
    collect() {
      this.set(database.isAway() ? 0 : 1)
    },
  })
  const { sockets, rounds } = watched
  if (sockets)
    new Gauge({
      name: 'innkeeper_sockets',
      help: 'Open sockets of this node',
      registers,
      collect() {
        this.set(sockets())
      },
    })
  if (database.pool) addPool(registry, database.pool)
  if (database.replica) addReplica(registry, database.replica)
  if (rounds) addRounds(registry, rounds)
  addCounted(registry, database, metrics)
  return registry
}

function addPool(registry: Registry, pool: NonNullable<App['database']['pool']>): void {
  new Gauge({
    name: 'innkeeper_pool_connections',
    help: 'Connections of the pool to PostgreSQL, and calls that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { open, idle, waiting } = pool()
      this.set({ state: 'busy' }, open - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
}

function addReplica(registry: Registry, replica: NonNullable<App['database']['replica']>): void {
  const registers = [registry]
  new Gauge({
    name: 'innkeeper_replica_up',
    help: 'Whether the standby answers lists: 1 or 0',
    registers,
    collect() {
      this.set(replica.state().problem ? 0 : 1)
    },
  })
  new Gauge({
    name: 'innkeeper_replica_behind_bytes',
    help: 'Bytes of the write-ahead log that the standby lacks',
    registers,
    collect() {
      const { behind } = replica.state()
      if (behind === undefined) this.remove()
      else this.set(behind)
    },
  })
  new Counter({
    name: 'innkeeper_replica_reads_total',
    help: 'Lists that the standby answered, and those that went to the primary',
    labelNames: ['from'],
    registers,
    collect() {
      this.reset()
      for (const [from, count] of Object.entries(replica.state().reads)) this.inc({ from }, count)
    },
  })
}

function addRounds(registry: Registry, rounds: Rounds): void {
  const registers = [registry]
  const labelNames = ['schedule'] as const
  const of = (name: string, help: string, read: (round: Rounds extends Map<string, infer R> ? R : never) => number) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        for (const [schedule, round] of rounds) this.set({ schedule }, read(round))
      },
    })
  of(
    'innkeeper_schedule_last_success_seconds',
    'Unix time of the last round that succeeded; 0: none',
    (r) => r.succeededAt / 1000,
  )
  of('innkeeper_schedule_interval_seconds', 'Time between two rounds', (r) => r.everyMs / 1000)
  of('innkeeper_schedule_round_seconds', 'How long the last round took', (r) => r.tookMs / 1000)
  of('innkeeper_schedule_failures', 'Failed rounds since the start', (r) => r.failures)
}

/** The statements run together at most once in FRESH_MS. While the database is away, their figures are absent. */
function addCounted(registry: Registry, { db, isAway }: App['database'], metrics: readonly Metric[]): void {
  const failures = new Counter({
    name: 'innkeeper_metrics_failures',
    help: 'Figures that could not be read',
    labelNames: ['metric'],
    registers: [registry],
  })
  const place = { registers: [registry] }
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<unknown> = Promise.resolve()
  const collect = async () => {
    if (performance.now() - readAt > FRESH_MS) {
      readAt = performance.now()
      reading = Promise.all(metrics.map((metric, at) => read(metric, gauges[at]!)))
    }
    await reading
  }
  const gauges = metrics.map(
    ({ name, help, labels }) => new Gauge({ name, help, labelNames: labels, collect, ...place }),
  )
  const read = async ({ name, labels, rows: statement }: Metric, gauge: Gauge) => {
    gauge.reset()
    if (!labels.length) gauge.remove() // otherwise 0 until it is set
    if (isAway()) return
    try {
      for (const row of await rows<Record<string, unknown>>(db, sql`${statement}`))
        gauge.set(Object.fromEntries(labels.map((label) => [label, String(row[label] ?? '')])), Number(row.value))
    } catch {
      failures.inc({ metric: name }) // the log has the reason of the database's absence already
    }
  }
  new Gauge({
    name: 'innkeeper_metrics_age_seconds',
    help: 'Age of the figures that are read from the database',
    ...place,
    async collect() {
      await collect()
      this.set((performance.now() - readAt) / 1000)
    },
  })
}
