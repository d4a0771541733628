import type { Driver } from '../../kit/driver.ts'
import { type Slow, summedUp } from '../statements/slow.ts'
import { tailOf } from '../statements/tail.ts'
import { ask, shapeOf } from './mariadbAsk.ts'

export const slowLog = '/var/log/mysql/innkeeper-slow'
const SECONDS = 1
/** Number of bytes that are read from the end of the log, and from the end of the previous log. */
const TAIL = 16 * 1_048_576

export const slowSettings = `slow_query_log = 1
slow_query_log_file = ${slowLog}
log_output = FILE
long_query_time = ${SECONDS}
log_slow_admin_statements = 1
`
/** The log of slow statements keeps a week. */
export const slowRotation = `# Written by Innkeeper. Changes are overwritten.
${slowLog} {
  daily
  rotate 7
  maxsize 64M
  missingok
  notifempty
  delaycompress
  compress
  copytruncate
}
`

/** Slow statements of a database with the rows that MariaDB read and sent. */
export const readSlow: Driver<'database.slow'> = {
  async run({ input: { name } }) {
    if (!(await shapeOf(name))) throw new Error(`there is no database ${name} on this server`)
    const on = (await ask('select @@slow_query_log;')).trim() === '1'
    const runs = [...slowIn(await tailOf(`${slowLog}.1`, TAIL), name), ...slowIn(await tailOf(slowLog, TAIL), name)]
    return { seconds: on ? SECONDS : null, unit: 'rows', statements: summedUp(runs) }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

/** Entries of one database: comment lines with figures, then the statement, over as many lines as it has. */
export function* slowIn(text: string, database: string): Generator<Slow> {
  for (const entry of text.split(/^(?=# User@Host: )/m)) {
    if (/^# Thread_id: \d+\s+Schema: (\S*)/m.exec(entry)?.[1] !== database) continue
    const figure = (name: string) => Number(new RegExp(`\\b${name}: ([\\d.]+)`).exec(entry)?.[1] ?? 0)
    const begun = entry.search(/^SET timestamp=\d+;\n/m)
    if (begun < 0) continue
    const [head = ''] = entry.slice(begun).split('\n', 1)
    const sql = entry
      .slice(begun + head.length + 1)
      .replace(/\n# Time: .*\s*$/s, '')
      .trim()
    if (!sql || /^# administrator command/.test(sql)) continue
    const at = Number(/\d+/.exec(head)?.[0]) * 1000
    yield { sql, at, ms: figure('Query_time') * 1000, examined: figure('Rows_examined'), sent: figure('Rows_sent') }
  }
}
