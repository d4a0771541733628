import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { countSome } from '../../kit/app/quote.ts'
import { streamLog } from './stream.ts'
import * as tables from './tables.ts'
import { lag, readLogStream } from './view.ts'

/** Seconds for which a row may wait before people are told. */
const LATE_S = 300
/** Whether a worker has the setting: the position stays when the setting goes, and is no fault then. */
const isOn = sql`exists (select from log_streams where held_until > now() - interval '10 minutes')`

/** The action log as a stream to another place (decision 189). */
export const logStream: Domain = {
  tables,
  quotes: [
    {
      place: 'The stream of the action log',
      why: 'What its receiver has got stays there: erase it there, too',
      count: (db) => countSome(db, sql`select from log_streams where sent_at is not null`),
    },
  ],
  schedules: [{ name: 'stream of the action log', everyMs: 1000, work: streamLog }],
  metrics: [
    {
      name: 'innkeeper_log_stream_lag_rows',
      help: 'Rows of the action log that the receiver of the stream lacks; absent without a stream',
      labels: [],
      rows: sql`select rows as value from (${lag}) l where ${isOn}`,
    },
    {
      name: 'innkeeper_log_stream_lag_seconds',
      help: 'How long the oldest of these rows has waited',
      labels: [],
      rows: sql`select coalesce(seconds, 0) as value from (${lag}) l where ${isOn}`,
    },
  ],
  troubles: [
    {
      prefix: 'log stream',
      isWatched: async ({ settings }) => settings.logStream !== undefined,
      async find({ db, settings }) {
        const stream = await readLogStream(db, settings)
        if (!stream || stream.seconds < LATE_S) return []
        const { to, rows, error } = stream
        const detail = `${rows} rows wait and none is lost.${error ? ` ${error}.` : ''}`
        return [
          {
            key: 'log stream',
            title: `The action log does not reach ${to}`,
            detail,
            level: 'error',
            link: '/operation',
          },
        ]
      },
    },
  ],
}
