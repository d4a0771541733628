import type { User } from '@innkeeper/contract/access/users/shapes'
import { type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../kit/db/byIds.ts'
import { isoOf } from '../../kit/db/columns.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import { notFound } from '../../kit/http/errors.ts'
import { ALLOWED, MINUTES } from './signIn/attempts.ts'
import { users } from './tables.ts'

export const nameOf = sql<string>`${users.firstName} || ' ' || ${users.lastName}`
/** Orders lists of people. The index of the table has the same expression. */
export const fullName = sql`lower(${nameOf})`
/** Contains the e-mail address: only for lists that show the address, or a search reveals it. */
export const searched = sql`${nameOf} || ' ' || ${users.username} || ' ' || ${users.email}`
/** People with an account; accounts of programs are `serviceAccounts`. */
export const alive = sql`${users.deletedAt} is null and not ${users.isService}`

/** Locked user names, after too many wrong passwords. */
const lockedNames = sql`(select name, max(since) + make_interval(mins => ${MINUTES}) as until from sign_in_attempts
  where failed >= ${ALLOWED} and since > now() - make_interval(mins => ${MINUTES}) group by name)`
export const locked = sql`lower(${users.username}) in (select name from ${lockedNames} l)`

/** Condition: users with one of these permissions by their role, and administrators, who have all permissions. */
export const holdsAny = (scopes: readonly string[]): SQL =>
  sql`(${users.isAdmin} or ${users.roleId} in (select role_id from roles
    where deleted_at is null and scopes && array[${sql.join(
      scopes.map((scope) => sql`${scope}`),
      sql`, `,
    )}]::text[]))`

type Row = Omit<User, 'createdAt' | 'updatedAt' | 'lastSignInAt' | 'lockedUntil' | 'suspendedAt'> & {
  [K in 'createdAt' | 'updatedAt']: string | Date
} & { [K in 'lastSignInAt' | 'lockedUntil' | 'suspendedAt']: string | Date | null }

const select = rowsByIds<Row>(
  (
    isWanted,
  ) => sql`select u.user_id as id, u.version, u.created_at as "createdAt", u.updated_at as "updatedAt", u.username, u.email,
        u.first_name as "firstName", u.last_name as "lastName", ${personName('u')} as name,
        u.is_admin as "isAdmin", r.role_id as "roleId", r.name as "roleName",
        d.department_id as "departmentId", d.name as "departmentName", u.profile_image as "profileImage",
        exists (select from second_factors f where f.user_id = u.user_id and f.confirmed_at is not null)
          or exists (select from passkeys k where k.user_id = u.user_id) as "secondFactor", u.suspended_at as "suspendedAt",
        u.must_change_password as "mustChangePassword", u.last_sign_in_at as "lastSignInAt", l.until as "lockedUntil"
      from users u left join roles r on r.role_id = u.role_id and r.deleted_at is null
      left join departments d on d.department_id = u.department_id and d.deleted_at is null
      left join ${lockedNames} l on l.name = lower(u.username)
      where ${isWanted(sql`u.user_id`)} and u.deleted_at is null and not u.is_service`,
)

/** Users in the order of `ids`, without deleted ones. */
export async function readUsers(db: Db, ids: readonly number[]): Promise<User[]> {
  const found = await select(db, ids)
  return inOrder(
    [...ids],
    found.map((row) => ({
      ...row,
      createdAt: isoOf(row.createdAt),
      updatedAt: isoOf(row.updatedAt),
      lastSignInAt: row.lastSignInAt && isoOf(row.lastSignInAt),
      lockedUntil: row.lockedUntil && isoOf(row.lockedUntil),
      suspendedAt: row.suspendedAt && isoOf(row.suspendedAt),
    })),
  )
}

export async function readUser(db: Db, id: number): Promise<User> {
  const [user] = await readUsers(db, [id])
  if (!user) throw notFound('user', id)
  return user
}
