import { desc, eq, inArray, isNull } from 'drizzle-orm'
import { chunks } from '../kit/db/chunks.ts'
import type { Db } from '../kit/db/db.ts'
import * as tables from '../tables.ts'
import { type Dice, dice } from './dice.ts'
import { seedLog } from './log.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Notifications are deleted after 90 days. */
const KEPT = 80 * DAY

type Person = typeof tables.users.$inferSelect
type Notice = typeof tables.notifications.$inferInsert

const zones = ['Europe/Oslo', 'Europe/Stockholm', 'Europe/Copenhagen', 'Europe/Helsinki', 'Europe/Berlin'] as const
const prefixes = ['+47', '+46', '+45', '+358', '+49'] as const
const day = (time: number) => new Date(time).toISOString().slice(0, 10)
const iso = (time: number) => new Date(time).toISOString()

/** Adds profiles, notifications, saved views and action log rows of the staff. Runs after `seed`. */
export async function seedDesk(
  db: Db,
  say: (line: string) => void,
  now = Date.parse('2026-11-21T09:00:00Z'),
): Promise<void> {
  const d = dice(4410)
  await db.transaction(async (tx) => {
    const staff = await tx.select().from(tables.users).where(isNull(tables.users.deletedAt)).orderBy(tables.users.id)
    await seedProfiles(tx, d, staff)
    const notified = await seedNotices(tx, d, staff, now)
    await seedViews(tx, staff)
    const logged = await seedLog(tx, d, staff, now)
    say(`${notified} notifications, ${logged} rows of the action log`)
  })
}

/** Some profiles are incomplete; administrators fill in their own. */
async function seedProfiles(db: Db, d: Dice, staff: Person[]): Promise<void> {
  const people = staff.filter(({ isAdmin }) => !isAdmin)
  await db.insert(tables.profiles).values(
    people.map((person, i) => {
      const home = i % zones.length
      const digits = String(20_000_000 + d.below(70_000_000))
      return {
        id: person.id,
        phone: i % 11 === 10 ? null : `${prefixes[home]} ${digits.replace(/(..)(..)(..)(..)/, '$1 $2 $3 $4')}`,
        birthDate: i % 7 === 6 ? null : day(Date.UTC(1966 + d.below(36), d.below(12), 1 + d.below(28))),
        hiredAt: day(Date.parse(person.createdAt) + 3 * DAY),
        timeZone: zones[home],
        ...(i % 6 === 2 && { quietFrom: '22:00', quietTo: '07:00' }),
      }
    }),
  )
}

/** Notifies people who started failed or slow workflows, and people who maintain silent servers. */
async function seedNotices(db: Db, d: Dice, staff: Person[], now: number): Promise<number> {
  const workflows = await db.select().from(tables.workflows).orderBy(desc(tables.workflows.startedAt)).limit(400)
  const failed = workflows.filter(({ status }) => status === 'failed').map(({ id }) => id)
  const stops = failed.length
    ? await db.select().from(tables.actions).where(inArray(tables.actions.workflowId, failed))
    : []
  const reasons = new Map(
    stops.flatMap(({ workflowId, title, reason }) => (reason ? [[workflowId, `${title}: ${reason}`]] : [])),
  )
  const [platform] = await db.select().from(tables.roles).where(eq(tables.roles.name, 'Platform'))
  const servers = await db.select().from(tables.servers)
  const lookers = staff.filter(({ roleId, isAdmin }) => isAdmin || roleId === platform?.id)

  const ofWork = workflows.flatMap(({ id, status, startedById, startedAt, subjectName, subjectId }): Notice[] => {
    // no notification for short workflows, which are most of them
    if (startedById === null || (status === 'done' && !d.chance(0.2))) return []
    const title = `Create website ${subjectName}`
    return [
      {
        userId: startedById,
        reason: 'workflow',
        link: `/websites/${subjectId}`,
        date: iso(Date.parse(startedAt) + 90_000),
        ...(status === 'failed'
          ? { level: 'error', title: `${title} failed`, body: reasons.get(id) ?? 'The workflow needs attention.' }
          : { level: 'success', title: `${title} is done`, body: 'All its actions are done.' }),
      },
    ]
  })
  const outages = [5, 60, 220, 725, 1220, 1690].flatMap((hoursAgo): Notice[] => {
    const { id, name } = d.pick(servers)
    const fell = now - hoursAgo * HOUR - d.below(HOUR)
    const minutes = 3 + d.below(40)
    const about = { reason: 'server', link: `/server/${id}` } as const
    return lookers.flatMap(({ id: userId }): Notice[] => [
      {
        ...about,
        userId,
        level: 'error',
        title: `${name} is offline`,
        body: 'No heartbeat for one minute. Actions wait.',
        date: iso(fell),
      },
      {
        ...about,
        userId,
        level: 'success',
        title: `${name} is online again`,
        body: `Offline for ${minutes} min. Waiting actions continue.`,
        date: iso(fell + minutes * 60_000),
      },
    ])
  })
  const rights = staff
    .filter((_, i) => i % 4 === 1)
    .map(
      ({ id: userId }): Notice => ({
        userId,
        reason: 'rights',
        level: 'warning',
        title: 'Your permissions changed',
        body: 'By First Administrator. The role Support has website:website:retry now.',
        link: '/profile',
        date: iso(now - 5 * DAY),
      }),
    )
  const all = [...ofWork, ...outages, ...rights]
    .filter(({ date }) => Date.parse(date ?? '') > now - KEPT)
    .map((notice) => {
      const age = now - Date.parse(notice.date ?? '')
      // notifications older than four days were read soon after they arrived
      const isRead = age > 4 * DAY || (age > DAY && d.chance(0.5))
      return { ...notice, readAt: isRead ? iso(now - age + Math.min(age, (1 + d.below(300)) * 60_000)) : null }
    })
    .sort((a, b) => String(a.date).localeCompare(String(b.date)))
  for (const some of chunks(all, 500)) await db.insert(tables.notifications).values(some)
  return all.length
}

async function seedViews(db: Db, staff: Person[]): Promise<void> {
  const servers = await db.select().from(tables.servers).where(eq(tables.servers.type, 'web'))
  const oslo = servers.filter(({ name }) => name.includes('-osl-')).map(({ id }) => String(id))
  const saved: Omit<typeof tables.views.$inferInsert, 'userId'>[] = [
    { list: 'websites', name: 'Failed in Oslo', filters: { status: ['failed'], server: oslo } },
    { list: 'websites', name: 'Newest first', filters: {}, sort: 'createdAt', direction: 'DESC' },
    { list: 'action-logs', name: 'Denied deletions', filters: { results: ['denied'], actions: ['delete'] } },
    { list: 'users', name: 'Without second factor', filters: { secondFactor: ['off'] } },
  ]
  const who = staff.filter(({ isAdmin }, i) => isAdmin || i % 4 === 0)
  await db.insert(tables.views).values(who.flatMap(({ id: userId }) => saved.map((view) => ({ ...view, userId }))))
}
