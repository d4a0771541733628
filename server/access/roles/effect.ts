import type { Effect } from '@innkeeper/contract/access/roles'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'

/** Number of people with the same permissions before and after. */
interface Group {
  people: number
  before: readonly string[]
  after: readonly string[]
}

/** Permissions that a change gives and takes, by name, each with the number of affected people. */
function effectOf(groups: readonly Group[]): Effect {
  const gives = new Map<string, number>()
  const takes = new Map<string, number>()
  let people = 0
  for (const group of groups) {
    const before = new Set(group.before)
    const after = new Set(group.after)
    const given = [...after].filter((scope) => !before.has(scope))
    const taken = [...before].filter((scope) => !after.has(scope))
    for (const scope of given) gives.set(scope, (gives.get(scope) ?? 0) + group.people)
    for (const scope of taken) takes.set(scope, (takes.get(scope) ?? 0) + group.people)
    if (given.length || taken.length) people += group.people
  }
  return { people, gives: counted(gives), takes: counted(takes) }
}

const counted = (scopes: Map<string, number>) =>
  [...scopes].map(([scope, people]) => ({ scope, people })).sort((a, b) => (a.scope < b.scope ? -1 : 1))

/** Effect of new permissions of a role. Administrators have all permissions and are not counted. */
export async function effectOnRole(
  db: Db,
  id: number,
  before: readonly string[],
  after: readonly string[],
): Promise<Effect> {
  const [found] = await rows<{ people: number }>(
    db,
    sql`select count(*)::int as people from users where role_id = ${id} and deleted_at is null and not is_admin`,
  )
  return effectOf([{ people: found?.people ?? 0, before, after }])
}

/** Effect of a new role for these people, compared with their current roles. */
export async function effectOnPeople(db: Db, ids: readonly number[], after: readonly string[]): Promise<Effect> {
  const groups = await rows<{ people: number; before: string[] }>(
    db,
    sql`select count(*)::int as people, coalesce(r.scopes, '{}') as before
      from users u left join roles r on r.role_id = u.role_id and r.deleted_at is null
      where u.user_id = any(${sql.param([...ids])}::int[]) and u.deleted_at is null and not u.is_admin
      group by r.role_id, r.scopes`,
  )
  return effectOf(groups.map((group) => ({ ...group, after })))
}
