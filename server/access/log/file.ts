import type { LogRow } from '@innkeeper/contract/access/log'
import { byteOrderMark, csvLine } from '@innkeeper/contract/kit/csv'
import type { Written } from '@innkeeper/contract/kit/transfer'
import { type SQL, sql } from 'drizzle-orm'
import { actionLogs } from '../../kit/audit/tables.ts'
import type { Db } from '../../kit/db/db.ts'
import { all } from '../../kit/db/page.ts'
import { type Filters, findLogs } from './find.ts'
import { readLogs } from './view.ts'

/** Number of rows in memory at a time. */
const BATCH = 500
const heading = [
  ...['Number', 'Time', 'Staff', 'Staff number', 'Service', 'Action', 'Resource', 'Resource number', 'Name', 'Result'],
  ...['Before', 'After', 'Workflow', 'Address', 'Request', 'Seal'],
]

/** All matching rows until now, newest first, streamed: the file may have any number of rows. */
export const logFile = (db: Db, filters: Filters, now: Date): Written => ({
  name: `action-log-${now.toISOString().slice(0, 10)}.csv`,
  type: 'text/csv; charset=utf-8',
  parts: lines(db, { ...filters, end_time: filters.end_time ?? now.toISOString() }),
})

async function* lines(db: Db, filters: Filters): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(heading)
  const { from, where } = findLogs(filters)
  let beyond: SQL[] = []
  for (;;) {
    const keys = await db
      .select({ id: sql`${sql`${actionLogs.id}`}`.mapWith(Number), at: sql<string>`${sql`${actionLogs.at}`}::text` })
      .from(from)
      .where(all([...where, ...beyond]))
      .orderBy(sql`${actionLogs.at} desc`, sql`${actionLogs.id} desc`)
      .limit(BATCH)
    const found = await readLogs(
      db,
      keys.map(({ id }) => id),
    )
    yield found.map((row) => csvLine(cellsOf(row))).join('')
    const last = keys.at(-1)
    if (!last || keys.length < BATCH) return
    beyond = [sql`(${actionLogs.at}, ${actionLogs.id}) < (${last.at}::timestamptz, ${last.id}::int)`]
  }
}

const json = (value: unknown) => (value === null ? '' : JSON.stringify(value))
const cellsOf = (row: LogRow) => [
  ...[row.id, row.time, row.staffName, row.staffId, row.service, row.action, row.resource, row.resourceId],
  ...[row.subject, row.result, json(row.before), json(row.after), row.workflowId, row.ip, row.requestId, row.seal],
]
