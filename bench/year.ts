import pg from 'pg'
import { openDatabase } from '../server/kit/db/open.ts'
import { retain } from '../server/kit/work/retention.ts'
import { services } from '../server/registry.ts'
import { fillYear } from './fill/database.ts'
import { everything } from './growth.ts'
import { median, single } from './load.ts'
import type { Options } from './options.ts'
import type { Stage } from './stage.ts'
import { atMost, known, type Line, short, unmeasured } from './table.ts'

const MB = 2 ** 20
const ROUNDS = 3
/** How much longer a list may take after a year. */
const SLOWER = 1.3
/** Below this, in ms, a difference is noise. */
const LEAST_MS = 5

/**
 * Adds a year of history to a provider (`--rows 3k`): what it takes on disk, how long vacuum and the round of retention take, and
 * whether lists are as quick as on the first day.
 */
export async function* year(stage: Stage, options: Options): AsyncGenerator<Line> {
  const client = new pg.Client({ connectionString: stage.url })
  await client.connect()
  try {
    const size = async () => Number((await client.query('select pg_database_size(current_database()) as n')).rows[0].n)
    const [first, young] = [await timesOf(stage, options), await size()]
    await fillYear(stage.url, options.rows, console.log)
    const old = await size()
    yield known('year', 'database', `${short(old / MB)} MB`, `${short(young / MB)} MB on the first day`)
    const { rows } = await client.query<{ name: string; bytes: string; rows: number }>(`select relname as name,
      pg_total_relation_size(oid) as bytes, reltuples::float8 as rows from pg_class where relkind = 'r' order by 2 desc limit 8`)
    for (const one of rows)
      yield known('year', one.name, `${short(Number(one.bytes) / MB)} MB`, `${one.rows.toLocaleString('en-GB')} rows`)
    yield known('year', 'vacuum analyze', `${short(await seconds(() => client.query('vacuum analyze')))} s`)
    const opened = await openDatabase(stage.url)
    const gone = () => retain({ db: opened.db, retention: services.retention })
    try {
      yield known(
        'year',
        'first round of retention',
        `${short(await seconds(gone))} s`,
        'deletes what is past its time',
      )
      yield atMost('year', 'next round of retention', await seconds(gone), 5, ' s', 'hourly')
    } finally {
      await opened.close()
    }
    const after = await timesOf(stage, options)
    for (const [name, ms] of first) {
      const now = after.get(name)
      if (now === undefined) yield unmeasured('year', name, 'not measured after the year')
      else
        yield atMost(
          'year',
          name,
          Math.max(now, LEAST_MS) / Math.max(ms, LEAST_MS),
          SLOWER,
          '',
          `p50 ${short(ms)} ms, then ${short(now)} ms`,
        )
    }
  } finally {
    await client.end()
  }
}

/** The p50 of each list and page, in ms. */
async function timesOf(stage: Stage, options: Options): Promise<Map<string, number>> {
  const times = new Map<string, number>()
  for (const { name, asks } of await everything(stage, options)) {
    await single(stage.ours.port, asks, stage.token)
    const rounds: number[] = []
    for (let n = 0; n < ROUNDS; n++) rounds.push(...(await single(stage.ours.port, asks, stage.token)))
    times.set(name, median(rounds))
  }
  return times
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}
