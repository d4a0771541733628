import { sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import type { App } from '../../kit/app/app.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import type { Context } from '../../kit/http/api.ts'
import { beyondAppointments } from './appointments.ts'
import { endEverywhere } from './endEverywhere.ts'
import { covers, LATELY_DAYS, lately, peopleWith } from './reach.ts'

/**
 * Protects people whose rights or departments grew from whoever made their sign-in. If that person does not reach them
 * now, a recent sign-in link or first password could still be used to sign in as them. Ends their sessions, password,
 * link and second factor, and notifies whoever changed the rights that these people need a new link.
 */
export async function endWeakEntries(
  app: App,
  db: Db,
  by: Staff,
  people: { role: number } | { ids: readonly number[] },
): Promise<void> {
  for (const one of await weakEntries(db, people)) await endEntry(app, db, by, one)
}

/** People whose sign-in was made lately by somebody who does not reach them now. */
export async function weakEntries(db: Db, people: { role: number } | { ids: readonly number[] }): Promise<Entered[]> {
  const meant =
    'role' in people ? sql`p.role_id = ${people.role}` : sql`p.user_id = any(${sql.param([...people.ids])}::int[])`
  return rows<Entered>(
    db,
    sql`select p.user_id as id, p.name, m.name as maker
      from ${peopleWith('now', { elevated: true })} p join ${peopleWith('lately')} m on m.user_id = p.let_in_by_id
      where ${meant} and p.deleted_at is null and p.let_in_at > ${lately} and m.user_id <> p.user_id and not ${covers}
      order by p.user_id`,
  )
}

/**
 * As `endWeakEntries`, for people who were appointed: they read or decide more than whoever made their sign-in lately.
 */
export async function endWeakEntriesOf(
  context: Pick<Context, 'app' | 'db' | 'staff' | 'now'>,
  appointed: readonly number[],
): Promise<void> {
  const { app, db, staff } = context
  if (!appointed.length) return
  const found = await rows<Entered & { makerId: number }>(
    db,
    sql`select p.user_id as id, ${personName('p')} as name, m.user_id as "makerId",
        ${personName('m')} as maker
      from users p join users m on m.user_id = p.let_in_by_id
      where p.user_id = any(${sql.param([...appointed])}::int[]) and p.deleted_at is null and p.let_in_at > ${lately}
        and m.user_id <> p.user_id and not m.is_admin
      order by p.user_id`,
  )
  for (const one of found) if (await beyondAppointments(context, one.makerId, one)) await endEntry(app, db, staff, one)
}

export interface Entered {
  id: number
  name: string
  /** Name of whoever made the sign-in. */
  maker: string
}

async function endEntry(app: App, db: Db, by: Staff, { id, name, maker }: Entered): Promise<void> {
  await endEverywhere(app, db, id)
  await app.endSignIn(db, id)
  await db.execute(sql`update users set password_hash = '', must_change_password = false, let_in_by_id = null,
    let_in_at = null, version = version + 1 where user_id = ${id}`)
  await app.notify(db, {
    to: [by.id],
    reason: 'rights',
    level: 'warning',
    title: `${name} needs a new sign-in link`,
    body: `The account was opened by ${maker} in the last ${LATELY_DAYS} days, who has fewer rights than it has now. Its sessions and its password have ended.`,
    link: `/users/${id}`,
  })
}
