import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { addDays } from '../../planning/calendar/days.ts'
import { type Dice, dice } from '../../seed/dice.ts'
import { scrumAuditItems, scrumAudits, scrumComponents } from './tables.ts'
import { totalOf } from './total.ts'

const components = [
  { name: 'Delivery', weight: 30, description: 'Stories that were promised and finished' },
  { name: 'Code review', weight: 20, description: 'Answers within a day, remarks that help' },
  { name: 'Tests', weight: 20, description: 'New code is covered; red builds are mended first' },
  { name: 'Estimates', weight: 10, description: 'Estimated and needed time' },
  { name: 'Communication', weight: 10, description: 'Stand-ups, tickets and hand-overs' },
  { name: 'Documentation', weight: 10, description: 'What others need to go on' },
]
const remarks = ['Two reviews waited for a week', 'Stories were split too late', 'The build was red for three days']
const SCALE = 5
const SPRINTS = 8
const LAST_END = '2026-11-15'

/** Audits of eight people over eight sprints by the first person of their department. */
export async function seedScrums(db: Db, say: (line: string) => void): Promise<void> {
  const d = dice(4430)
  await db.transaction(async (tx) => {
    const made = await tx
      .insert(scrumComponents)
      .values([...components, { name: 'Pair work', weight: 5, description: '', status: 'inactive' as const }])
      .returning()
    const active = made.filter(({ status }) => status === 'active')
    const people = await rows<{ id: number; auditorId: number }>(
      tx,
      sql`select u.user_id as id, (select min(v.user_id) from users v where v.department_id = u.department_id and v.deleted_at is null) as "auditorId"
        from users u where u.deleted_at is null and u.department_id is not null and not u.is_admin order by u.user_id`,
    )
    const audited = people.filter(({ id, auditorId }) => id !== auditorId).slice(0, 8)
    for (const person of audited) for (let n = 0; n < SPRINTS; n++) await seedAudit(tx, d, person, active, n)
    say(`${audited.length * SPRINTS} scrum audits`)
  })
}

async function seedAudit(
  db: Db,
  d: Dice,
  { id: userId, auditorId }: { id: number; auditorId: number },
  active: (typeof scrumComponents.$inferSelect)[],
  n: number,
): Promise<void> {
  const periodEnd = addDays(LAST_END, -14 * (SPRINTS - 1 - n))
  const items = active.map(({ id: componentId, name, weight }) => {
    const score = d.chance(0.05) ? null : Math.min(SCALE, 2 + d.below(3) + (n > 4 ? 1 : 0))
    return { componentId, name, weight, score, comment: score !== null && score < 3 ? d.pick(remarks) : '' }
  })
  const status = n === SPRINTS - 1 ? d.pick(['draft', 'submitted'] as const) : 'acknowledged'
  const submittedAt = status === 'draft' ? null : `${addDays(periodEnd, 1)}T09:00:00Z`
  const [audit] = await db
    .insert(scrumAudits)
    .values({
      ...{ name: `Sprint ${40 + n}`, userId, auditorId, periodStart: addDays(periodEnd, -13), periodEnd, status },
      ...{ scale: SCALE, total: totalOf(items, SCALE), submittedAt, createdBy: auditorId },
      acknowledgedAt: status === 'acknowledged' ? `${addDays(periodEnd, 2)}T10:00:00Z` : null,
    })
    .returning({ id: scrumAudits.id })
  await db.insert(scrumAuditItems).values(items.map((item) => ({ ...item, auditId: audit!.id })))
}
