import type { log as contract } from '@innkeeper/contract/access/log'
import { sql } from 'drizzle-orm'
import { actionLogs } from '../../kit/audit/tables.ts'
import { askCheck } from '../../kit/audit/verifyChain.ts'
import { rows } from '../../kit/db/db.ts'
import { all, pageKeys } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { changed } from '../../kit/live/live.ts'
import { logFile } from './file.ts'
import { findLogs } from './find.ts'
import { readNames } from './names.ts'
import { readChain, readLog, readLogs, shownCheck } from './view.ts'

/** Limit of the count of new rows; more are shown as "1,000+". */
const MOST_NEW = 1000

export const logHandlers: Handlers<typeof contract> = {
  async list({ page_size, itemsPerPage = page_size, sort, direction, ...input }, { db }) {
    const way = sort === 'ASC' || sort === 'DESC' ? sort : direction
    const { ids, ...page } = await pageKeys(
      db,
      { ...input, itemsPerPage, direction: way },
      {
        ...findLogs(input, way),
        key: actionLogs.id,
        order: { column: actionLogs.at, type: 'instant', direction: 'DESC' },
      },
    )
    return { items: await readLogs(db, ids), ...page }
  },

  one: ({ id }, { db }) => readLog(db, id),

  async newer({ than, ...filters }, { db }) {
    const row = await readLog(db, than)
    const { from, where } = findLogs(filters)
    const [found] = await rows<{ count: number }>(
      db,
      sql`select count(*)::int as count from (select 1 from ${from}
        where ${all(where)} and (${actionLogs.at}, ${actionLogs.id}) > (${row.time}::timestamptz, ${row.id}::int)
        limit ${MOST_NEW}) as newer`,
    )
    return { count: found?.count ?? 0 }
  },

  names: (_, { db }) => readNames(db),

  file: async (filters, { db, now }) => logFile(db, filters, now),

  ticket: async (_, { app, staff }) => app.tickets.issue({ path: '/api/logs/csv' }, staff.sessionKey),

  chain: (_, { db }) => readChain(db),

  async verify({ whole = false }, { db, staff, audit }) {
    const check = await askCheck(db, staff.name, whole)
    audit.after({ whole: check.whole, from: check.behind, upTo: check.upTo })
    await changed(db, 'log')
    return shownCheck(check)
  },
}
