import type { calendarEvents as contract } from '@innkeeper/contract/planning/calendarEvents/calls'
import type { Birthday } from '@innkeeper/contract/planning/calendarEvents/entry'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { type Day, dayOf, exists, yearOf } from '../../calendar/days.ts'
import { todayIn } from '../../calendar/places.ts'
import { type Span, spanOf } from './span.ts'

type Person = Omit<Birthday, 'date'>

export const birthdayHandlers: Pick<Handlers<typeof contract>, 'birthdays' | 'birthdaysOfMonth'> = {
  async birthdays(_, { db, now }) {
    const today = await todayIn(db, now)
    const items = (await readPeople(db)).map((person) => ({ ...person, date: nextBirthday(person, today) }))
    return { items: items.sort(byDate), total: items.length }
  },

  async birthdaysOfMonth({ date }, { db }) {
    const items = await birthdaysBetween(db, spanOf(date, 1))
    return { items, total: items.length }
  },
}

/** Birthdays of all staff in a range of days, in order. */
export async function birthdaysBetween(db: Db, { from, to }: Span): Promise<Birthday[]> {
  const people = await readPeople(db)
  const years = Array.from({ length: yearOf(to) - yearOf(from) + 1 }, (_, i) => yearOf(from) + i)
  return years
    .flatMap((year) => people.map((person) => ({ ...person, date: birthdayIn(person, year) })))
    .filter(({ date }) => date >= from && date <= to)
    .sort(byDate)
}

/** A birthday on 29 February is on the 28th in years without a 29th. */
const birthdayIn = ({ month, day }: { month: number; day: number }, year: number): Day =>
  exists(year, month, day) ? dayOf(year, month, day) : dayOf(year, month, day - 1)

function nextBirthday(person: Person, today: Day): Day {
  const date = birthdayIn(person, yearOf(today))
  return date >= today ? date : birthdayIn(person, yearOf(today) + 1)
}

const byDate = (a: Birthday, b: Birthday) => a.date.localeCompare(b.date) || a.userName.localeCompare(b.userName, 'en')

/** The query does not select the year of birth. */
const readPeople = (db: Db): Promise<Person[]> =>
  rows<Person>(
    db,
    sql`select u.user_id as "userId", ${personName('u')} as "userName", d.name as "departmentName",
        u.profile_image as image, extract(month from p.birth_date)::int as month, extract(day from p.birth_date)::int as day
      from profiles p join users u on u.user_id = p.user_id and u.deleted_at is null
      left join departments d on d.department_id = u.department_id
      where p.birth_date is not null`,
  )
