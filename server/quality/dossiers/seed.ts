import { isNull } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { addDays } from '../../planning/calendar/days.ts'
import { type Dice, dice } from '../../seed/dice.ts'
import * as tables from '../../tables.ts'

type Person = typeof tables.users.$inferSelect
type Feedback = typeof tables.dossierFeedbacks.$inferInsert

const positions = [
  ['Head of support', 0],
  ['Team lead', 1],
  ['Senior agent', 2],
  ['Agent', 3],
] as const
const types = ['Praise', 'Concern', 'Goal', 'Observation'] as const
const categories = ['Teamwork', 'Knowledge', 'Tone', 'Punctuality'] as const
const said = [
  ['Praise', 'Took over the night shift at an hour’s notice and left a clean handover.'],
  ['Praise', 'Explained the DNS change to the customer without a single abbreviation.'],
  ['Concern', 'Two tickets stayed open over the weekend without a word to the customer.'],
  ['Goal', 'Hold the next introduction to PHP versions for the team.'],
  ['Observation', 'Asks for help later than necessary; we agreed on twenty minutes.'],
  ['Praise', 'Found the full disk before monitoring did.'],
  ['Concern', 'Promised a restore before checking that a backup exists.'],
] as const
const answers = ['Thank you.', 'I see it the same way.', 'I will ask earlier.', ''] as const

const iso = (day: string, hour = 10) => `${day}T${hour}:00:00Z`

/** Adds a dossier for each member of staff, teams by department, and a year of feedback. */
export async function seedDossiers(
  db: Db,
  say: (line: string) => void,
  now = Date.parse('2026-11-21T09:00:00Z'),
): Promise<void> {
  const d = dice(4450)
  const today = new Date(now).toISOString().slice(0, 10)
  await db.transaction(async (tx) => {
    const staff = await tx.select().from(tables.users).where(isNull(tables.users.deletedAt)).orderBy(tables.users.id)
    await tx
      .insert(tables.dossiers)
      .values(staff.map(({ id, createdAt }) => ({ userId: id, startedOn: createdAt.slice(0, 10), createdAt })))
    const teams = await seedTeams(tx, d, staff)
    const made = await seedFeedback(tx, d, staff, today)
    say(`${staff.length} dossiers in ${teams} teams, ${made} entries of feedback`)
  })
}

/** A team per department below one team at the top. Everybody is in the team of their department. */
async function seedTeams(db: Db, d: Dice, staff: readonly Person[]): Promise<number> {
  const departments = await db.select().from(tables.departments).where(isNull(tables.departments.deletedAt))
  const made = await db
    .insert(tables.dossierPositions)
    .values(positions.map(([name, level]) => ({ name, level })))
    .returning()
  const positionOf = (name: (typeof positions)[number][0]) => made.find((one) => one.name === name)?.id ?? null
  const [head = staff[0]] = staff.filter(({ isAdmin }) => isAdmin)
  const [top] = await db
    .insert(tables.dossierTeams)
    .values({ name: 'Everybody', managerId: head?.id ?? null })
    .returning()
  if (!top || !departments.length) return 1
  const members = (id: number) => staff.filter((one) => one.departmentId === id && one.id !== head?.id)
  const teams = await db
    .insert(tables.dossierTeams)
    .values(
      departments.map(({ id, name }) => ({
        ...{ name: `Team ${name}`, departmentId: id, parentId: top.id },
        managerId: members(id)[0]?.id ?? null,
      })),
    )
    .returning()
  const rows = teams.flatMap(({ id: teamId, departmentId, managerId }) =>
    members(departmentId ?? 0).map((person) => ({
      ...{ userId: person.id, teamId, startsOn: person.createdAt.slice(0, 10) },
      positionId: positionOf(person.id === managerId ? 'Team lead' : d.chance(0.3) ? 'Senior agent' : 'Agent'),
    })),
  )
  const lead = head && {
    userId: head.id,
    teamId: top.id,
    startsOn: head.createdAt.slice(0, 10),
    positionId: positionOf('Head of support'),
  }
  await db.insert(tables.dossierMemberships).values([...rows, ...(lead ? [lead] : [])])
  return teams.length + 1
}

async function seedFeedback(db: Db, d: Dice, staff: readonly Person[], today: string): Promise<number> {
  const words = await db
    .insert(tables.dossierWords)
    .values([
      ...types.map((name) => ({ kind: 'type' as const, name })),
      ...categories.map((name) => ({ kind: 'category' as const, name })),
      ...(['Solution', 'Tone of reviews'] as const).map((name) => ({ kind: 'review-category' as const, name })),
    ])
    .returning()
  const wordOf = (name: string) => words.find((one) => one.name === name)?.id ?? null
  const entries = staff.flatMap((person) =>
    Array.from({ length: d.below(7) }, (): Feedback => {
      const [type, content] = d.pick(said)
      const author = d.pick(staff)
      const at = iso(addDays(today, -d.below(360) - 2), 8 + d.below(2))
      const visibility = d.pick(['private', 'manager', 'subject-and-manager', 'subject-and-manager', 'team'] as const)
      const isDone =
        (visibility === 'team' || visibility === 'subject-and-manager') && author !== person && d.chance(0.6)
      return {
        ...{ subjectId: person.id, authorId: author.id, createdBy: author.id, content, visibility },
        ...{ typeId: wordOf(type), categoryId: wordOf(d.pick(categories)) },
        ...{ createdAt: at, updatedAt: at, publishedAt: at },
        ...(isDone && { acknowledgedAt: addDays(at.slice(0, 10), 1), answer: d.pick(answers) }),
      }
    }),
  )
  if (entries.length) await db.insert(tables.dossierFeedbacks).values(entries)
  return entries.length
}
