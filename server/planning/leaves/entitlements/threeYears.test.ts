import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { departments } from '../../../access/departments/tables.ts'
import { users } from '../../../access/users/tables.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { workplaces } from '../../calendar/tables.ts'
import { type Book, bookOf, days } from '../test/arithmetic.ts'
import { leavesOf, type Person, takes } from '../test/leaves.ts'
import { turnYears } from './yearEnd.ts'

/*
 * Three years of people who join, become part-time, take, cancel and are corrected, compared with the arithmetic of
 * `test/arithmetic.ts`, which knows the rules of leave and none of the code that applies them.
 */
const PEOPLE = Number(process.env.PEOPLE ?? 3)
const SEED = Number(process.env.SEED ?? 7)
const STEP = Number(process.env.STEP ?? 40)

let t: TestApp
let l: ReturnType<typeof leavesOf>
let chief: Person
const people: (Person & { book: Book })[] = []
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime('2027-01-04T08:00:00Z')
  t = await openTestApp()
  l = leavesOf(t)
  chief = await t.somebody('admin', 'chief')
  const { db } = t.app
  await db.insert(workplaces).values({ country: 'NO', timeZone: 'Europe/Oslo', halfHolidays: ['12-24', '12-31'] })
  const [away] = await db.insert(departments).values({ name: 'Away' }).returning()
  await db
    .insert(workplaces)
    .values({ departmentId: away!.id, country: null, timeZone: 'America/New_York', weekend: [6, 7] })
  for (let n = 0; n < PEOPLE; n++) {
    const who = await t.somebody(takes)
    const place = n % 3 === 2 ? ('nowhere' as const) : ('norway' as const)
    if (place === 'nowhere') await db.update(users).set({ departmentId: away!.id }).where(eq(users.id, who.id))
    people.push({ ...who, book: bookOf(place) })
  }
})
afterAll(async () => {
  vi.useRealTimers()
  await t.close()
})

let seed = SEED
/** A repeatable number from 0 to n - 1. */
const random = (n: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * n)
}

async function at(day: string): Promise<void> {
  vi.setSystemTime(`${day}T10:00:00Z`)
  const open = (id: number) => t.app.sessions.open(t.app.db, id, { ip: null, userAgent: null })
  chief.token = await open(chief.id)
  for (const one of people) one.token = await open(one.id)
  await turnYears(t.app, new Date())
  for (const { book } of people) book.turn(day)
}

const profile = (who: Person, body: object) =>
  t.call('PATCH', `/api/employee-controller/profile/user/${who.id}`, { token: chief.token, body })

/** One random event of a person's life at work. Answers what happened, for the message of a failure. */
async function event(who: (typeof people)[number], today: string): Promise<string> {
  const { book } = who
  const kind = random(10)
  if (kind < 6) {
    const start = days(today, 1 + random(150))
    const end = days(start, random(9))
    const half = random(4)
    const parts = {
      ...(half === 1 && { startPart: 'afternoon' }),
      ...(half === 2 && { endPart: 'morning' }),
      ...(half === 3 && start === end && { startPart: 'morning' }),
    }
    if (start === end && half)
      Object.assign(parts, {
        startPart: half === 1 ? 'afternoon' : 'morning',
        endPart: half === 1 ? 'afternoon' : 'morning',
      })
    const { status, body } = await l.take(who, start, end, parts)
    if (status !== 201) return `refused ${start} ${end}: ${JSON.stringify(body.fields ?? body.message)}`
    book.take(body.id, { start, end, ...parts })
    const isApproved = random(4) > 0
    if (random(3) > 0) {
      await l.review(chief, body.id, isApproved)
      if (!isApproved) book.drop(body.id)
    }
    return `took ${start} ${end} ${JSON.stringify(parts)} ${isApproved}`
  }
  if (kind === 6) {
    const id = book.ahead(today)
    if (id === undefined) return 'nothing to cancel'
    const { body } = await l.ask(who, 'GET', `requests/${id}`)
    if (body.status === 'pending') {
      const { status } = await l.review(chief, id, false)
      if (status === 200) book.drop(id)
      return `rejected ${id}: ${status}`
    }
    await l.ask(who, 'POST', 'cancellations', { requestId: id })
    const { body: asked } = await l.ask(chief, 'GET', `requests/${id}`)
    const { status } = await l.ask(chief, 'PATCH', `cancellations/review/${asked.cancellation?.id}`, {
      isApproved: true,
    })
    if (status === 200) book.drop(id)
    return `cancelled ${id}: ${status}`
  }
  if (kind === 7) {
    const from = days(today, random(60))
    const worked = [random(2), 1, random(2), 1, random(2), 0, 0]
    const minutes = worked.map((one) => one * 450)
    const { status, body } = await l.ask(chief, 'POST', `employee/${who.id}/working-days`, { from, minutes })
    if (status === 200) book.works(from, minutes, today)
    return `works ${minutes} from ${from}: ${status} ${status === 200 ? '' : JSON.stringify(body)}`
  }
  if (kind === 8) {
    const first = `${today.slice(0, 4)}-0${1 + random(Math.max(1, Number(today.slice(5, 7)) - 1))}-1${random(9)}`
    if (book.firstDay && book.firstDay.slice(0, 4) !== today.slice(0, 4)) return 'joined long ago'
    if (first > today) return 'not yet'
    const { status, body } = await profile(who, { hiredAt: first })
    if (status === 200) book.joined(first, today)
    return `joined ${first}: ${status} ${status === 200 ? '' : JSON.stringify(body)}`
  }
  const yearlyDays = [null, 20, 28, 30][random(4)] ?? null
  const { status } = await l.ask(chief, 'PATCH', `employee/${who.id}`, { entitlements: [{ typeId: 1, yearlyDays }] })
  if (status === 200) book.entitled(yearlyDays, today)
  return `entitled ${yearlyDays}: ${status}`
}

it('of joining, part-time, half days, corrections and carried days equal plain arithmetic', {
  timeout: 900_000,
}, async () => {
  const story = new Map(people.map(({ id }) => [id, [] as string[]]))
  for (const who of people) {
    const first = `2027-0${1 + random(3)}-${10 + random(15)}`
    expect((await profile(who, { hiredAt: first })).status).toBe(200)
    who.book.joined(first, '2027-01-04')
    story.get(who.id)!.push(`first day ${first}`)
  }
  for (let day = '2027-04-01'; day < '2030-01-15'; day = days(day, STEP + random(10))) {
    await at(day)
    if (day.startsWith('2028') && day.slice(5) < '06' && random(3) === 0) {
      const yearlyDays = 24 + random(4)
      await l.ask(chief, 'PATCH', 'types/1', { yearlyDays })
      for (const { book } of people) book.yearly(yearlyDays, day)
      for (const told of story.values()) told.push(`${day} type ${yearlyDays}`)
    }
    for (const who of people) {
      story.get(who.id)!.push(`${day} ${await event(who, day)}`)
      const year = Number(day.slice(0, 4))
      for (const one of [year - 1, year]) {
        if (one < 2027) continue
        const { balance } = await l.balance(who, one)
        expect(
          balance,
          `${one} of ${who.id}, ${JSON.stringify(who.book.figures(one))}\n${story.get(who.id)!.join('\n')}`,
        ).toBe(who.book.balance(one))
      }
    }
  }
})
