import { isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { type Dice, dice } from '../../seed/dice.ts'
import * as tables from '../../tables.ts'
import { addDays, yearOf } from '../calendar/days.ts'
import { calendarsOfPeople } from '../calendar/holidays.ts'
import { count, type Span } from './days/leaveDays.ts'
import { enter, grantYears, release, use } from './entitlements/ledger.ts'

type Person = typeof tables.users.$inferSelect
type Type = typeof tables.leaveTypes.$inferSelect
type Status = (typeof tables.leaves.$inferSelect)['status']

interface Wanted {
  code: Type['code']
  start: string
  days: number
  part?: Span['startPart']
  reason?: string
}

/** Typical leaves of a year in a northern office, by the week in which they start. */
const usual: readonly (Omit<Wanted, 'start'> & { weeks: [from: number, to: number]; share: number })[] = [
  { code: 'paid', weeks: [7, 9], days: 5, share: 0.5, reason: 'Winter holiday' },
  { code: 'paid', weeks: [13, 15], days: 4, share: 0.3 },
  { code: 'paid', weeks: [26, 31], days: 12, share: 0.9, reason: 'Summer' },
  { code: 'paid', weeks: [39, 41], days: 3, share: 0.5, reason: 'Autumn break' },
  { code: 'paid', weeks: [48, 50], days: 1, share: 0.3, part: 'afternoon', reason: 'Moving house' },
  { code: 'paid', weeks: [51, 52], days: 7, share: 0.6, reason: 'Christmas at home' },
  { code: 'paid', weeks: [58, 61], days: 5, share: 0.4, reason: 'Skiing' },
  { code: 'sick', weeks: [3, 11], days: 2, share: 0.45 },
  { code: 'sick', weeks: [43, 47], days: 3, share: 0.4 },
  { code: 'study', weeks: [17, 22], days: 2, share: 0.15, reason: 'Examination' },
  { code: 'special', weeks: [19, 24], days: 1, share: 0.1, reason: 'Wedding of my sister' },
  { code: 'unpaid', weeks: [33, 37], days: 5, share: 0.05 },
]
const refusals = [
  'Two people of the desk are already away',
  'The data centre moves that week',
  'Ask Erik to swap first',
]

/**
 * Adds approvers, entitlements, and one year of leaves with their ledger. Runs after `seedDesk`, which sets first days
 * at work.
 */
export async function seedLeaves(
  db: Db,
  say: (line: string) => void,
  now = Date.parse('2026-11-21T09:00:00Z'),
): Promise<void> {
  const d = dice(4420)
  const today = new Date(now).toISOString().slice(0, 10)
  await db.transaction(async (tx) => {
    const staff = await tx.select().from(tables.users).where(isNull(tables.users.deletedAt)).orderBy(tables.users.id)
    const approvers = await seedApprovers(tx, staff)
    await seedEntitlements(tx, d, staff, yearOf(today))
    let made = 0
    for (const person of staff) made += await seedYear(tx, d, person, approvers(person), today)
    await dateEntries(tx)
    say(`${made} leaves of ${staff.length} people`)
  })
}

/** Dates ledger entries by the event that caused them; entries of a new year have its first day. */
async function dateEntries(db: Db): Promise<void> {
  await db.execute(sql`update leave_ledger l set created_at = case l.kind when 'reserve' then r.created_at else r.updated_at end
    from leaves r where r.leave_id = l.leave_id`)
  await db.execute(sql`update leave_ledger set created_at = least(now(), make_timestamptz(year, 1, 1, 4, 0, 0, 'UTC'))
    where kind in ('grant', 'carry')`)
}

/** Makes the first two people of each department its approvers. Returns a function from person to approver. */
async function seedApprovers(db: Db, staff: Person[]): Promise<(person: Person) => number> {
  const teams = [...Map.groupBy(staff, ({ departmentId }) => departmentId)]
  const heads = new Map<number | null, Person[]>(teams.map(([id, people]) => [id, people.slice(0, 2)]))
  const quality = staff.filter(({ roleId }) => roleId !== null).slice(3, 4)
  const lists = teams
    .filter(([departmentId]) => departmentId !== null)
    .map(([departmentId, [head, second]]) => ({ departmentId, head, second }))
  for (const { departmentId, head, second } of [
    ...lists,
    { departmentId: null, head: quality[0], second: undefined },
  ]) {
    if (!head) continue
    const [list] = await db.insert(tables.leaveApproverLists).values({ departmentId }).returning()
    await db
      .insert(tables.leaveApprovers)
      .values({ listId: list!.id, userId: head.id, substituteId: second?.id ?? null, position: 0 })
  }
  return ({ id, departmentId }) => {
    const [head = quality[0], second] = heads.get(departmentId) ?? []
    return (head && head.id !== id ? head : (second ?? quality[0]))?.id ?? id
  }
}

/** Some people have more days by contract; remaining days of last year were carried over. */
async function seedEntitlements(db: Db, d: Dice, staff: Person[], year: number): Promise<void> {
  const types = await db.select().from(tables.leaveTypes)
  const [paid, compensatory] = ['paid', 'compensatory'].map((code) => types.find((type) => type.code === code)!)
  for (const { id: userId } of staff) {
    if (d.chance(0.2))
      await db.insert(tables.leaveEntitlements).values({ userId, typeId: paid!.id, halves: d.pick([56, 60]) })
    await grantYears(db, userId, [year])
    const note = `From ${year - 1}`
    if (d.chance(0.6))
      await enter(db, [{ userId, typeId: paid!.id, year, halves: 1 + d.below(10), kind: 'carry', note }])
    if (d.chance(0.25))
      await enter(db, [
        { userId, typeId: compensatory!.id, year, halves: 2, kind: 'adjust', note: 'On call at Whitsun' },
      ])
  }
}

async function seedYear(db: Db, d: Dice, person: Person, decider: number, today: string): Promise<number> {
  const types = await db.select().from(tables.leaveTypes)
  const year = yearOf(today)
  const span = { from: `${year}-01-01`, to: `${year + 1}-12-31` }
  const calendar = (await calendarsOfPeople(db, { ...span, userIds: [person.id] })).get(person.id)!
  const left = new Map<string, number>()
  let free = ''
  let made = 0
  for (const { weeks, share, ...wanted } of usual.toSorted((a, b) => a.weeks[0] - b.weeks[0])) {
    if (!d.chance(share)) continue
    const start = addDays(
      `${year - 1}-12-29`,
      (weeks[0] + d.below(weeks[1] - weeks[0] + 1) - 1) * 7 + (wanted.days < 4 ? d.below(3) : 0),
    )
    const type = types.find(({ code }) => code === wanted.code)!
    const part = wanted.part ?? 'full'
    const weekends = wanted.days > 5 ? 2 * Math.floor((wanted.days - 1) / 5) : 0
    const span: Span = {
      startDate: start,
      endDate: addDays(start, wanted.days - 1 + weekends),
      startPart: part,
      endPart: part,
    }
    const counted = count(span, type, calendar)
    if (start <= free || start < person.createdAt.slice(0, 10) || counted.halves === 0) continue
    if (type.deductsBalance && [...counted.years].some(([at, halves]) => (left.get(`${type.id}/${at}`) ?? 40) < halves))
      continue
    const status = statusOf(d, span, today)
    await seedLeave(db, d, { person, type, span, counted, status, decider, reason: wanted.reason ?? null, today })
    if (status === 'pending' || status === 'approved')
      for (const [at, halves] of counted.years)
        left.set(`${type.id}/${at}`, (left.get(`${type.id}/${at}`) ?? 40) - halves)
    free = span.endDate
    made += 1
  }
  return made
}

/** Past requests were decided; some future ones are pending. */
function statusOf(d: Dice, { startDate }: Span, today: string): Status {
  const roll = d.next()
  if (startDate <= today) return roll < 0.88 ? 'approved' : roll < 0.94 ? 'rejected' : 'cancelled'
  return roll < 0.45 ? 'approved' : roll < 0.92 ? 'pending' : 'rejected'
}

interface Made {
  person: Person
  type: Type
  span: Span
  counted: ReturnType<typeof count>
  status: Status
  decider: number
  reason: string | null
  today: string
}

async function seedLeave(
  db: Db,
  d: Dice,
  { person, type, span, counted, status, decider, reason, today }: Made,
): Promise<void> {
  const before = span.startDate < today ? span.startDate : today
  // sick leave is requested afterwards
  const asked =
    type.code === 'sick' ? span.startDate : addDays(before, -(1 + d.below(span.startDate < today ? 40 : 12)))
  const at = (day: string) => `${day}T${String(7 + d.below(9)).padStart(2, '0')}:${String(10 + d.below(50))}:00Z`
  const decided = status === 'pending' ? null : at(addDays(asked, d.below(2)))
  const [leave] = await db
    .insert(tables.leaves)
    .values({
      ...span,
      userId: person.id,
      typeId: type.id,
      halves: counted.halves,
      reason,
      status,
      createdAt: at(asked),
      updatedAt: decided ?? at(asked),
      createdBy: person.id,
      ...(decided && status !== 'cancelled' && { reviewedBy: decider, reviewedAt: decided }),
      ...(status === 'rejected' && { comment: d.pick(refusals) }),
    })
    .returning()
  const { id: leaveId } = leave!
  if (status === 'cancelled' || (status === 'approved' && span.startDate > today && d.chance(0.15)))
    await db.insert(tables.leaveCancellations).values({
      leaveId,
      reason: 'Plans have changed',
      createdBy: person.id,
      ...(status === 'cancelled' && { status: 'approved' as const, reviewedBy: person.id, reviewedAt: decided }),
    })
  const years = [...counted.years]
  await grantYears(
    db,
    person.id,
    years.map(([year]) => year),
  )
  await enter(
    db,
    years.map(([year, halves]) => ({
      ...{ userId: person.id, typeId: type.id, year, leaveId, createdBy: person.id },
      kind: 'reserve' as const,
      halves: -halves,
    })),
  )
  if (status === 'approved') await use(db, leaveId, decider)
  else if (status !== 'pending') await release(db, leaveId, decider)
}
