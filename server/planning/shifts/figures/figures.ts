import type { shifts as contract, ShiftHours, ShiftStatistic } from '@innkeeper/contract/planning/shifts/calls'
import { toHours } from '@innkeeper/contract/planning/shifts/duration'
import { type SQL, sql } from 'drizzle-orm'
import { isDepartment } from '../../../access/departments/exists.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { monthOf } from '../../calendar/closedMonths.ts'
import { addDays } from '../../calendar/days.ts'
import { todayIn } from '../../calendar/places.ts'
import { checkRange } from '../range.ts'
import { type Person, plans, readPeople, visibleTo } from '../roster/people.ts'
import { coverageOf, readMinimum, saveMinimum } from './coverage.ts'
import { normsOf } from './norms.ts'

const MONTHS = 24

type Calls = 'statistics' | 'hours' | 'coverage' | 'minimum' | 'setMinimum'

export const figureHandlers: Pick<Handlers<typeof contract>, Calls> = {
  /** Planners read the statistics of everybody, others only their own. */
  async statistics({ userId, date, from, to, departmentId }, { db, staff, now }) {
    if (!plans(staff) && userId !== undefined && userId !== staff.id) throw notFound('user', userId)
    const first = date ?? from ?? monthOf(to ?? (await todayIn(db, now, staff.departmentId)))
    const last = date ?? to ?? first
    const months = monthsOf(first, last)
    const text = months.length ? `At most ${MONTHS} months at once` : 'The end is before the beginning'
    if (!months.length || months.length > MONTHS) throw refused(text, { to: text })
    const ids = plans(staff) ? userId : staff.id
    const people = await readPeople(db, ids ? { ids: [ids] } : { departmentId })
    if (ids && !people.length) throw notFound('user', ids)
    const items = await statisticsOf(db, people, months)
    return { items, total: items.length }
  },

  /** Like `statistics`, but over any days, and added up per person. */
  async hours({ from, to, departmentId }, { db, staff }) {
    checkRange({ from, to })
    const people = await readPeople(db, plans(staff) ? { departmentId } : { ids: [staff.id] })
    const all = await statisticsOf(db, people, monthsOf(monthOf(from), monthOf(to)), { from, to })
    const items = [...Map.groupBy(all, (row) => row.userId).values()].flatMap((months) => sumOf(months))
    return { items, total: items.length }
  },

  async coverage({ from, to, departmentId }, { db, staff }) {
    checkRange({ from, to }, 62)
    return coverageOf(db, { from, to, departmentId }, visibleTo(staff))
  },

  minimum: ({ departmentId }, { db }) => readMinimum(db, departmentId ?? null),

  async setMinimum({ departmentId, minimum, version }, context) {
    if (departmentId !== null && !(await isDepartment(context.db, departmentId)))
      throw notFound('department', departmentId)
    return saveMinimum(context, departmentId, minimum, version)
  },
}

interface Sum {
  userId: number
  month: string
  shifts: number
  minutes: string
  worked: string
  nights: number
  weighted: string
}

/** Adds up the months of each person into one row. */
function sumOf(months: readonly ShiftStatistic[]): ShiftHours[] {
  const [first] = months
  if (!first) return []
  const { month: _, ...person } = first
  const add = (key: 'shifts' | 'hours' | 'workedHours' | 'nightHours' | 'weightedHours' | 'normHours' | 'difference') =>
    months.reduce((sum, row) => sum + row[key], 0)
  return [
    {
      ...person,
      ...{ shifts: add('shifts'), hours: add('hours'), workedHours: add('workedHours'), nightHours: add('nightHours') },
      ...{ weightedHours: add('weightedHours'), normHours: add('normHours'), difference: add('difference') },
    },
  ]
}

/** Figures per person and month, in that order, including months without shifts. `only` limits them to these days. */
async function statisticsOf(
  db: Db,
  people: readonly Person[],
  months: readonly string[],
  only?: { from: string; to: string },
): Promise<ShiftStatistic[]> {
  const [first] = months
  const last = months.at(-1)
  if (!first || !last || !people.length) return []
  const { from, to } = only ?? { from: first, to: monthEnd(last) }
  const ids = people.map(({ id }) => id)
  const sums = await rows<Sum>(db, sumsOf(ids, from, to))
  const known = new Map(sums.map((sum) => [`${sum.userId} ${sum.month}`, sum]))
  const norms = await normsOf(db, ids, from, to)
  return people.flatMap(({ id, name, departmentId }) =>
    months.map((month) => {
      const sum = known.get(`${id} ${month}`)
      const weightedHours = toHours(Number(sum?.weighted ?? 0))
      const normHours = norms(id, month)
      return {
        ...{ userId: id, name, departmentId, month, shifts: sum?.shifts ?? 0 },
        hours: Number(sum?.minutes ?? 0) / 60,
        workedHours: Number(sum?.worked ?? 0) / 60,
        nightHours: sum?.nights ?? 0,
        ...{ weightedHours, normHours, difference: weightedHours - normHours },
      }
    }),
  )
}

/** Sums of published shifts; drafts do not count. */
const sumsOf = (ids: readonly number[], from: string, to: string): SQL =>
  sql`select user_id as "userId", date_trunc('month', date)::date::text as month, count(*)::int as shifts,
      sum(end_minute - start_minute - break_minutes)::text as minutes,
      round(sum(extract(epoch from ends_at - starts_at)) / 60 - sum(break_minutes))::text as worked, sum(night_steps)::int as nights, sum(weighted420)::text as weighted
    from shifts where deleted_at is null and status = 'published' and user_id = any(${sql.param([...ids])}::int[])
      and date between ${from}::date and ${to}::date
    group by 1, 2`

function monthsOf(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = first; month <= last && months.length <= MONTHS; month = monthOf(addDays(monthEnd(month), 1)))
    months.push(month)
  return months
}

function monthEnd(month: string): string {
  const next = new Date(`${month}T00:00:00Z`)
  next.setUTCMonth(next.getUTCMonth() + 1, 0)
  return next.toISOString().slice(0, 10)
}
