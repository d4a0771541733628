import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { addDays } from '../../../planning/calendar/days.ts'
import { readAway } from '../../../planning/shifts/roster/absences.ts'
import type { Targets } from '../tables.ts'

export interface Contact {
  userId: number | null
  firstName: string
  lastName: string
  phone: string | null
  timeZone: string | null
}

const columns = sql`u.user_id as "userId", u.first_name as "firstName", u.last_name as "lastName", p.phone, p.time_zone as "timeZone"`
const anyOf = (column: SQL, ids: readonly number[]) => sql`${column} = any(${sql.param([...ids])}::int[])`

/** The people in the targets without duplicates, then the bare numbers. */
export async function contactsOf(db: Db, targets: Targets, now: Date): Promise<Contact[]> {
  const { numbers, users, departments, shifts } = targets
  const there = shifts.length ? await onShift(db, shifts, now) : []
  const people = await rows<Contact>(
    db,
    sql`select ${columns} from users u left join profiles p on p.user_id = u.user_id
      where u.deleted_at is null and (${anyOf(sql`u.user_id`, [...users, ...there])} or ${anyOf(sql`u.department_id`, departments)})
      order by lower(${personName('u')}), u.user_id`,
  )
  const bare = { userId: null, firstName: '', lastName: '', timeZone: null }
  return [...people, ...numbers.map((phone) => ({ ...bare, phone }))]
}

/** People who work now by the published plan and are not on leave, in these departments; 0: in all. */
export async function onShift(db: Db, departments: readonly number[], now: Date): Promise<number[]> {
  const at = now.toISOString()
  const near = departments.includes(0) ? sql`true` : anyOf(sql`s.department_id`, departments)
  const working = await rows<{ userId: number; date: string; minute: number }>(
    db,
    sql`select s.user_id as "userId", s.date::text as date,
        (s.start_minute + extract(epoch from ${at}::timestamptz - s.starts_at) / 60)::int as minute
      from shifts s join users u on u.user_id = s.user_id and u.deleted_at is null
      where s.deleted_at is null and s.status = 'published' and s.starts_at <= ${at}::timestamptz and s.ends_at > ${at}::timestamptz
        and s.date between ${at}::date - 2 and ${at}::date + 1 and ${near} order by s.user_id`,
  )
  if (!working.length) return []
  const today = at.slice(0, 10)
  const ids = working.map(({ userId }) => userId)
  const away = await readAway(db, ids, addDays(today, -2), addDays(today, 2))
  const here = working.filter(({ userId, date, minute }) => {
    const day = addDays(date, Math.floor(minute / 1440))
    return !away.at(userId, day, minute % 1440, (minute % 1440) + 1)
  })
  return [...new Set(here.map(({ userId }) => userId))]
}
