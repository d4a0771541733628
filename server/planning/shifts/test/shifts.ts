import { departments } from '../../../access/departments/tables.ts'
import { users } from '../../../access/users/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { addDays, daysFromTo } from '../../calendar/days.ts'
import { todayIn } from '../../calendar/places.ts'
import { workplaces } from '../../calendar/tables.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** A department in Oslo with people, three kinds of shift, and somebody who plans. */
export interface Roster extends TestApp {
  admin: string
  departmentId: number
  people: number[]
  types: { early: number; late: number; night: number }
  today: string
  /** The date `n` days from today. */
  day(n: number): string
  /** Days from today to a day of the next summer, which has no holiday, with `apart` days that no other call gave. */
  freeDay(apart?: number): number
  /** Calls as the planner, or with another token. */
  api(method: Method, path: string, body?: unknown, token?: string): ReturnType<TestApp['call']>
}

export async function openRoster(count = 4): Promise<Roster> {
  const t = await openTestApp()
  const { db } = t.app
  const admin = (await t.somebody('admin')).token
  const [support] = await db.insert(departments).values({ name: 'Support' }).returning()
  await db.insert(workplaces).values({ country: 'NO', timeZone: 'Europe/Oslo' }) // of the whole organisation
  const made = await db
    .insert(users)
    .values(
      Array.from({ length: count }, (_, n) => ({
        username: `worker${n}`,
        email: `worker${n}@example.org`,
        firstName: 'Worker',
        lastName: String(n).padStart(3, '0'),
        passwordHash: '',
        departmentId: support!.id,
      })),
    )
    .returning({ id: users.id })
  const api: Roster['api'] = (method, path, body, token = admin) =>
    t.call(method, `/api/calendar/shifts${path}`, { token, ...(body !== undefined && { body }) })
  const type = async (name: string, startTime: string, endTime: string) =>
    (await api('POST', '/type', { name, startTime, endTime })).body.id as number
  const types = {
    early: await type('Early', '06:00', '14:00'),
    late: await type('Late', '14:00', '22:00'),
    night: await type('Night', '22:00', '06:00'),
  }
  const today = await todayIn(db, new Date())
  const people = made.map(({ id }) => id)
  const year = Number(today.slice(0, 4))
  const summer = `${today < `${year}-05-01` ? year : year + 1}-07-03`
  let free = daysFromTo(today, summer) - 1
  const freeDay = (apart = 4) => {
    free += apart
    return free
  }
  return { ...t, admin, departmentId: support!.id, people, types, today, day: (n) => addDays(today, n), freeDay, api }
}
