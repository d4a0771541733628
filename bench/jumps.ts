import { sql } from 'drizzle-orm'
import { rows } from '../server/kit/db/db.ts'
import { median } from './load.ts'
import type { Options } from './options.ts'
import { addressOf, type ListCall, listCalls } from './requests.ts'
import type { Stage } from './stage.ts'
import { atMost, type Line } from './table.ts'

/** Tables of lists whose pages people open by number. */
const tables = new Map([
  ['websites.list', 'websites where deleted_at is null'],
  ['log.list', 'action_logs'],
  ['workflows.list', 'workflows'],
  ['systemUsers.list', 'system_users where deleted_at is null'],
  ['dns.zones', 'zones where deleted_at is null'],
  ['ssl.list', 'certificates where deleted_at is null'],
])
const SIZE = 50
const LIMIT_MS = 40

/** Measures a jump to the middle of a list, in each order and direction: PostgreSQL skips half of the table. */
export async function* jumps(stage: Stage, options: Options): AsyncGenerator<Line> {
  for (const call of listCalls) {
    const table = tables.get(call.name)
    if (!table || !call.name.startsWith(options.call)) continue
    const page = Math.floor((await rowsOf(stage, table)) / SIZE / 2)
    for (const sort of call.sorts.filter((word) => word !== 'ASC' && word !== 'DESC'))
      yield await measure(stage, call, sort, page)
  }
}

async function rowsOf(stage: Stage, table: string): Promise<number> {
  const [found] = await rows<{ n: number }>(stage.inside.app.db, sql.raw(`select count(*)::int as n from ${table}`))
  return found?.n ?? 0
}

async function measure(stage: Stage, call: ListCall, sort: string, middle: number): Promise<Line> {
  const times: number[] = []
  for (const direction of ['ASC', 'DESC'])
    for (const page of [middle, middle - 7, middle - 1, middle + 1, middle - 3]) {
      const query = { [call.pageBy]: call.pageBy === 'page' ? page : page * SIZE, sort, direction }
      const began = performance.now()
      const { status, body } = await stage.hear({
        path: addressOf(call, { ...query, ...(call.sizeBy && { [call.sizeBy]: SIZE }) }),
      })
      if (status !== 200) throw new Error(`${call.name} answered ${status}: ${JSON.stringify(body)}`)
      times.push(performance.now() - began)
    }
  const detail = `page ${middle} of ${SIZE}; first ${times[0]?.toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms`
  return atMost('jumps', `${call.name}, ${sort}`, median(times), LIMIT_MS, ' ms', detail)
}
