import { performance } from 'node:perf_hooks'
import { log } from '@innkeeper/contract/log'
import type { Context } from '../server/kit/api.ts'
import { type Db, openDatabase } from '../server/kit/db.ts'
import { forgetCounts } from '../server/kit/page.ts'
import { logHandlers } from '../server/log/handlers.ts'

/** `node bench/log.ts DATABASE`: a page and its count for each filter of the action log, milliseconds, the better of two. */
const [url = ''] = process.argv.slice(2)
const questions = [
  '',
  'agents=1',
  'agents=60',
  'agents=300',
  'agents=0',
  'agents=1,2,3',
  'agents=300,301',
  'service_ids=website',
  'service_ids=calendar,qa',
  'actions=create',
  'results=denied',
  'results=failed,denied',
  'resources=dns-sub',
  'ip=10.0.5.5',
  'resource_id=77',
  'resources=website&resource_id=1',
  'text=c4ca42',
  'text=abc',
  'text=c4',
  'text=abc&agents=1',
  'agents=60&service_ids=calendar',
  'agents=300&results=denied',
  'agents=1&ip=10.0.5.5',
  'service_ids=website&resources=dns',
  'agents=1&service_ids=website&actions=delete',
  'actions=merge&resources=calendar-sub',
  'results=success&service_ids=website',
  'end_time=2020-01-01T00:00:00Z',
  'end_time=2025-10-01T00:00:00Z&agents=1',
  'start_time=2025-10-01T00:00:00Z&end_time=2025-10-02T00:00:00Z&results=failed',
]
const database = await openDatabase(url, { schema: 'as-is' })
const ask = async (db: Db, query: string) => {
  const input = log.list.schemas.query!.parse(Object.fromEntries(new URLSearchParams(query)))
  const times: number[] = []
  for (let n = 0; n < 2; n++) {
    forgetCounts(db)
    const began = performance.now()
    // the list reads nothing of its context but the database
    const { items, total, more } = await logHandlers.list(input as never, { db } as Context)
    times.push(performance.now() - began)
    if (n === 1)
      return `${Math.min(...times)
        .toFixed(1)
        .padStart(8)} ms  ${items.length} of ${total}${more ? '+' : ''}`
  }
}
for (const query of questions)
  for (const order of ['DESC', 'ASC'])
    console.log(`${await ask(database.db, `${query}&sort=${order}`)}`.padEnd(32), order.padEnd(5), query || 'all')
await database.close()
