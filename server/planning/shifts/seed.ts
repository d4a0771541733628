import { isNull, sql } from 'drizzle-orm'
import { chunks } from '../../kit/db/chunks.ts'
import type { Db } from '../../kit/db/db.ts'
import { type Dice, dice } from '../../seed/dice.ts'
import * as tables from '../../tables.ts'
import { addDays, weekdayOf } from '../calendar/days.ts'
import { calendarsOfPeople } from '../calendar/holidays.ts'
import { turnOf } from './automations/runAutomation.ts'
import { buildShift, type Type } from './planning/build.ts'
import { type Away, readAway } from './roster/absences.ts'
import { type Person, readPeople } from './roster/people.ts'
import { firstSettings } from './settings.ts'

type Row = typeof tables.shifts.$inferInsert
type Pattern = { id: number; pattern: (number | null)[]; startDate: string; stagger: number; departmentId: number }

const FIRST = '2026-10-01'
const LAST = '2026-12-18'
const HOUR = 3_600_000

/**
 * Adds three months of shifts: a rota around the clock for Support, office days for the others. Runs after
 * `seedLeaves`.
 */
export async function seedShifts(
  db: Db,
  say: (line: string) => void,
  now = Date.parse('2026-11-21T09:00:00Z'),
): Promise<void> {
  const d = dice(4430)
  await db.transaction(async (tx) => {
    const types = await seedTypes(tx)
    const departments = await tx.select().from(tables.departments).where(isNull(tables.departments.deletedAt))
    const idOf = (name: string) => departments.find((one) => one.name === name)?.id ?? 0
    const patterns = await seedAutomations(tx, types, idOf)
    const people = (await readPeople(tx, {})).filter(({ departmentId }) => departmentId !== null)
    const ids = people.map(({ id }) => id)
    const away = await readAway(tx, ids, FIRST, LAST)
    const calendars = await calendarsOfPeople(tx, { userIds: ids, from: FIRST, to: LAST })
    const rows = patterns.flatMap((pattern) =>
      people
        .filter(({ departmentId }) => departmentId === pattern.departmentId)
        .flatMap((person, nth) => {
          const free = new Set(calendars.get(person.id)?.holidays.map(({ date }) => date))
          return turns(pattern, person, nth, types, away, pattern.stagger ? new Set() : free)
        }),
    )
    const made = [...rows.map((row) => lived(row, d)), ...(await drafts(tx, people, types, rows))]
    for (const some of chunks(made, 500)) await tx.insert(tables.shifts).values(some)
    await seedAround(tx, people, idOf('Support'), now)
    say(`${made.length} shifts of ${people.length} people`)
  })
}

async function seedTypes(db: Db): Promise<Map<string, Type>> {
  const rows = await db
    .insert(tables.shiftTypes)
    .values([
      { name: 'Early', code: 'E', startTime: '06:00', endTime: '14:00', colour: 'info' },
      { name: 'Late', code: 'L', startTime: '14:00', endTime: '22:00', colour: 'warning' },
      { name: 'Night', code: 'N', startTime: '22:00', endTime: '06:00', colour: 'accent' },
      { name: 'Day', code: 'D', startTime: '09:00', endTime: '17:30', breakMinutes: 30, colour: 'primary' },
      { name: 'Weekend watch', code: 'W', startTime: '10:00', endTime: '18:00', colour: 'success' },
      { name: 'Half day', code: 'H', startTime: '09:00', endTime: '13:00', colour: 'secondary', isActive: false },
    ])
    .returning()
  return new Map(rows.map((type) => [type.code, type]))
}

async function seedAutomations(db: Db, types: Map<string, Type>, idOf: (name: string) => number): Promise<Pattern[]> {
  const letters = (text: string) => [...text].map((code) => types.get(code)?.id ?? 0)
  const office = { pattern: letters('DDDDD--'), startDate: '2026-09-28', onHoliday: 'skip' } as const
  const ahead = { plannedTo: LAST, weeksAhead: 4 }
  const rows = await db
    .insert(tables.shiftAutomations)
    .values([
      {
        name: 'Support around the clock',
        departmentId: idOf('Support'),
        pattern: letters('EEELLNN---'),
        startDate: FIRST,
        stagger: 3,
        ...ahead,
      },
      { name: 'Platform, office days', departmentId: idOf('Platform'), ...office, ...ahead },
      { name: 'Quality, office days', departmentId: idOf('Quality'), ...office, ...ahead },
    ])
    .returning()
  return rows.map(({ id, pattern, startDate, stagger, departmentId }) => ({
    ...{ id, startDate, stagger, departmentId: departmentId ?? 0 },
    pattern: pattern.map((type) => type || null),
  }))
}

/** Shifts of one person by a pattern, without leaves and holidays. */
function turns(
  pattern: Pattern,
  person: Person,
  nth: number,
  types: Map<string, Type>,
  away: Away,
  free: Set<string>,
): Row[] {
  const byId = new Map([...types.values()].map((type) => [type.id, type]))
  const rows: Row[] = []
  for (let date = FIRST; date <= LAST; date = addDays(date, 1)) {
    const type = byId.get(turnOf(pattern, date, nth) ?? 0)
    if (!type || free.has(date)) continue
    const shift = buildShift(type, date, person, firstSettings)
    if (away.at(person.id, date, shift.startMinute, shift.endMinute)) continue
    rows.push({ ...shift, status: 'published', source: 'automation', automationId: pattern.id })
  }
  return rows
}

/** Lets some shifts end later than planned, as if somebody had corrected them. */
function lived(row: Row, d: Dice): Row {
  if (row.code !== 'D' || row.date > '2026-11-20' || !d.chance(0.03)) return row
  const longer = 60
  const endsAt = new Date(Date.parse(row.endsAt) + HOUR).toISOString()
  const weighted420 = row.weighted420 + 420
  return { ...row, endMinute: row.endMinute + longer, endsAt, weighted420, edited: true, ownTimes: true, version: 2 }
}

/** Drafts of weekend watches in December, as one change. */
async function drafts(
  db: Db,
  people: readonly Person[],
  types: Map<string, Type>,
  rows: readonly Row[],
): Promise<Row[]> {
  const type = types.get('W')
  const platform = people.filter(({ departmentName }) => departmentName === 'Platform')
  if (!type || !platform.length) return []
  const made: Row[] = []
  for (let date = '2026-11-28'; date <= '2026-12-13'; date = addDays(date, 1)) {
    const person = platform[made.length % platform.length]
    const isFree = !rows.some((row) => row.userId === person?.id && row.date === date)
    if (person && isFree && weekdayOf(date) > 5)
      made.push({ ...buildShift(type, date, person, firstSettings), status: 'draft', source: 'bulk' })
  }
  const text = 'Planned the weekend watches of December'
  const [batch] = await db
    .insert(tables.shiftBatches)
    .values({ text, by: platform[0]?.name ?? '', made: made.length, removed: 0 })
    .returning()
  return made.map((row) => ({ ...row, batchId: batch?.id }))
}

/** Adds teams, notes, minimum staffing and a closed month. */
async function seedAround(db: Db, people: readonly Person[], support: number, now: number): Promise<void> {
  const theirs = people.filter(({ departmentId }) => departmentId === support)
  const half = Math.ceil(theirs.length / 2)
  await db.insert(tables.shiftTeams).values(
    ['Aurora', 'Borealis'].map((name, n) => ({
      ...{ name, departmentId: support, date: FIRST },
      memberIds: theirs.slice(n * half, n * half + half).map(({ id }) => id),
    })),
  )
  const notes = [
    'Has the keys of the data centre',
    'Comes an hour later: dentist',
    'On call for mail too',
    'Trains the new colleague',
    'Leaves by train at 21:40',
  ]
  await db.insert(tables.shiftNotes).values(
    notes.flatMap((content, n) => {
      const person = theirs[(n * 3) % theirs.length]
      return person
        ? [{ userId: person.id, date: addDays('2026-11-18', n * 2), content, by: theirs[0]?.name ?? '' }]
        : []
    }),
  )
  const day = Array.from({ length: 24 }, (_, hour) => (hour >= 6 && hour < 22 ? 3 : 2))
  await db.insert(tables.shiftMinimums).values([
    { departmentId: support, minimum: Array.from({ length: 7 }, () => day).flat() },
    { departmentId: 0, minimum: Array.from({ length: 7 }, () => day).flat() },
  ])
  await db.insert(tables.shiftMonths).values({
    ...{ month: FIRST, closedAt: new Date(now - 12 * 24 * HOUR).toISOString(), closedBy: theirs[0]?.name ?? '' },
  })
  await db.execute(sql`analyze shifts`)
}
