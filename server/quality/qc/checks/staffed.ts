import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Spans } from './speech.ts'

const DAY = 86_400_000
/** Days around a conversation in which its department must have a shift: without one, nobody keeps a roster there. */
const AROUND = 7
/** Days of the roster that one batch reads at most. A conversation that lasts longer is judged by its last ones. */
const MOST_DAYS = 400

/** When somebody of each department is on the roster, between two instants. Breaks count as staffed. */
export async function staffedTimes(
  db: Db,
  departmentIds: readonly number[],
  from: number,
  to: number,
): Promise<Map<number, [number, number][]>> {
  const times = new Map<number, [number, number][]>()
  if (!departmentIds.length) return times
  const begin = new Date(Math.max(from - AROUND * DAY, to - MOST_DAYS * DAY))
  const end = new Date(to + AROUND * DAY)
  const found = await rows<{ id: number; begin: string; end: string }>(
    db,
    sql`select department_id as id, extract(epoch from starts_at) * 1000 as begin, extract(epoch from ends_at) * 1000 as end
      from shifts where department_id = any(${sql.param([...departmentIds])}::int[]) and deleted_at is null
        and status = 'published' and date between ${begin.toISOString()}::date - 1 and ${end.toISOString()}::date
      order by starts_at`,
  )
  for (const { id, ...shift } of found) {
    const spans = times.get(id) ?? []
    const last = spans.at(-1)
    const [starts, ends] = [Number(shift.begin), Number(shift.end)]
    if (last && starts <= last[1]) last[1] = Math.max(last[1], ends)
    else spans.push([starts, ends])
    times.set(id, spans)
  }
  return times
}

/** The roster around one conversation; null if the department has no shift near it. */
export function around(spans: Spans | undefined, from: number, to: number): Spans | null {
  const near = (spans ?? []).filter(([begin, end]) => end > from - AROUND * DAY && begin < to + AROUND * DAY)
  return near.length ? near : null
}
