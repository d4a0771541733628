import type { Holding } from '@innkeeper/contract/access/users/shapes'
import { sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import type { App } from '../../kit/app/app.ts'
import { namesText } from '../../kit/app/namesText.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'

const some = (words: readonly string[]) => namesText(words, 5)

/** Notifies people of a change of their rights, except whoever made the change. */
async function notifyOfRights(app: App, db: Db, by: Staff, to: readonly number[], body: string): Promise<void> {
  await app.notify(db, {
    to: to.filter((id) => id !== by.id),
    reason: 'rights',
    level: 'warning',
    title: 'Your rights were changed',
    body: `By ${by.name}. ${body}`,
    link: '/profile',
  })
}

/** Notifies everybody in a role of the permissions that the role gains and loses; nobody when there are none. */
export async function notifyOfRole(
  app: App,
  db: Db,
  by: Staff,
  role: { id: number; name: string },
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const given = after.filter((scope) => !before.includes(scope))
  const taken = before.filter((scope) => !after.includes(scope))
  if (!given.length && !taken.length) return
  const people = await rows<{ id: number }>(
    db,
    sql`select user_id as id from users where role_id = ${role.id} and deleted_at is null`,
  )
  const said = [given.length && `gives you ${some(given)}`, taken.length && `takes ${some(taken)}`].filter(Boolean)
  const to = people.map(({ id }) => id)
  await notifyOfRights(app, db, by, to, `The role ${role.name} ${said.join(' and ')}.`)
}

/** Notifies people who were moved to another role, or lost their role. */
export const notifyOfMove = (
  app: App,
  db: Db,
  by: Staff,
  people: readonly number[],
  role: string | null,
): Promise<void> =>
  notifyOfRights(app, db, by, people, role === null ? 'You have no role now.' : `Your role is ${role} now.`)

/** Notifies a person, and their managers, that somebody changed how the person signs in. */
export async function notifyOfSignIn(
  { app, db, staff, now }: Pick<Context, 'app' | 'db' | 'staff' | 'now'>,
  person: { id: number; name: string },
  done: string,
): Promise<void> {
  const notice = {
    reason: 'rights',
    level: 'warning',
    body: `By ${staff.name}. Tell an administrator if nobody asked for it.`,
  } as const
  await app.notify(db, { ...notice, to: [person.id], title: `${done} for you`, link: '/security' })
  const managers = (await app.managersOf(db, person.id, now)).filter((id) => id !== staff.id && id !== person.id)
  await app.notify(db, { ...notice, to: managers, title: `${done} for ${person.name}`, link: '/notifications' })
}

/** Notifies a person of a change of their own sign-in, which somebody at their open screen could have made. */
export const notifyOfOwnSignIn = (
  { app, db, staff }: Pick<Context, 'app' | 'db' | 'staff'>,
  done: string,
): Promise<void> =>
  app.notify(db, {
    to: [staff.id],
    reason: 'rights',
    level: 'warning',
    title: done,
    body: 'If it was not you, tell an administrator.',
    link: '/security',
  })

/** Notifies a person who became or ceased to be an administrator. */
export const notifyOfFlag = (app: App, db: Db, by: Staff, id: number, isAdmin: boolean): Promise<void> =>
  notifyOfRights(app, db, by, [id], isAdmin ? 'You are an administrator now.' : 'You are no administrator any more.')

/** Notifies a person, or the owner of a service account, of something that an access review took. */
export async function notifyOfLoss(app: App, db: Db, by: Staff, userId: number, what: string): Promise<void> {
  const [owner] = await rows<{ id: number }>(
    db,
    sql`select owner_id as id from service_accounts where service_account_id = ${userId}`,
  )
  await notifyOfRights(app, db, by, [owner?.id ?? userId], `An access review took ${what}.`)
}

/** Notifies the person who takes over the records of somebody who was deleted. */
export const notifyOfHandOver = (
  app: App,
  db: Db,
  by: Staff,
  heir: number,
  of: { name: string; held: readonly Holding[] },
): Promise<void> =>
  app.notify(db, {
    to: [heir],
    reason: 'handover',
    title: `You took over the records of ${of.name}`,
    body: `${of.held.map(({ label, count }) => `${label}: ${count}`).join(', ')}. Handed over by ${by.name}.`,
    link: '/',
  })
