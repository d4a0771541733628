import type { Driver } from '../../kit/driver.ts'
import { normalised, type Slow, summedUp } from '../statements/slow.ts'
import { tailOf } from '../statements/tail.ts'
import { ask, askRows, newest, quoted, reading, shapeOf } from './ask.ts'

const SECONDS = 1
const TAIL = 16 * 1_048_576

/** `%Q` is the number under which pg_stat_statements keeps a statement. */
export const slowSettings = `shared_preload_libraries = 'pg_stat_statements'
pg_stat_statements.max = 10000
log_min_duration_statement = ${SECONDS * 1000}
log_line_prefix = '%m [%p] %Q %q%u@%d '
log_timezone = 'Etc/UTC'
log_duration = off
log_statement = 'none'
`

interface Known {
  id: string
  sql: string
  calls: number
  rows: number
  blocks: number
}

/**
 * Slow statements of a database. The log has the time of each run; pg_stat_statements has the pages of 8 KiB that each
 * statement read, because PostgreSQL does not count examined rows.
 */
export const readSlow: Driver<'database.slow'> = {
  async run({ input: { name } }) {
    if (!(await shapeOf(name))) throw new Error(`there is no database ${name} on this server`)
    const [limit, libraries] = (await ask('show log_min_duration_statement; show shared_preload_libraries;')).split(
      '\n',
    )
    const counts = libraries?.includes('pg_stat_statements') ?? false
    const known = counts ? await statementsOf(name) : []
    const log = `/var/log/postgresql/postgresql-${newest()}-main.log`
    const runs = [...slowIn(await tailOf(`${log}.1`, TAIL), name), ...slowIn(await tailOf(log, TAIL), name)]
    const of = new Map(known.map((one) => [one.id, one]))
    const withFigures = runs.map(({ id, ...run }) => {
      const one = of.get(id)
      return one ? { ...run, sql: one.sql, examined: one.blocks / one.calls, sent: one.rows / one.calls } : run
    })
    const statements = summedUp(withFigures, ({ sql }) => normalised(sql)).map((one) => ({
      ...one,
      examined: one.examined === null ? null : Math.round(one.examined),
      sent: one.sent === null ? null : Math.round(one.sent),
    }))
    return { seconds: limit?.trim() === '-1' ? null : SECONDS, unit: 'pages', statements }
  },
  ...reading,
}

const statementsOf = async (name: string) => {
  await ask('create extension if not exists pg_stat_statements schema public;')
  return askRows<Known>(
    `select json_build_object('id', s.queryid::text, 'sql', left(s.query, 2000), 'calls', s.calls, 'rows', s.rows, 'blocks',
      s.shared_blks_hit + s.shared_blks_read + s.local_blks_hit + s.local_blks_read) from public.pg_stat_statements s
      join pg_database d on d.oid = s.dbid where d.datname = ${quoted(name)} and s.calls > 0
      order by s.total_exec_time desc limit 5000;`,
  )
}

const BEGIN =
  /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+) UTC \[\d+\] (-?\d+) (\S+)@([^\s@]+) LOG: {2}duration: ([\d.]+) ms {2}(?:statement|execute [^:]*): (.*)$/

/** Entries of one database; further lines of a statement begin with a tab. */
export function* slowIn(text: string, database: string): Generator<Slow & { id: string }> {
  let open: (Slow & { id: string }) | undefined
  for (const line of text.split('\n')) {
    if (line.startsWith('\t')) {
      if (open) open.sql += `\n${line.slice(1)}`
      continue
    }
    if (open) yield open
    const [, at = '', id = '', , name, ms, sql = ''] = BEGIN.exec(line) ?? []
    const none = { examined: null, sent: null }
    open =
      name === database ? { id, sql, at: Date.parse(`${at.replace(' ', 'T')}Z`), ms: Number(ms), ...none } : undefined
  }
  if (open) yield open
}
