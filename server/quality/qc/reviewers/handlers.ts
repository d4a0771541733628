import type { qcReviewers as contract, Reviewer } from '@innkeeper/contract/quality/qc/reviewers'
import { eq, sql } from 'drizzle-orm'
import { checkDepartments } from '../../../access/departments/exists.ts'
import { alive, holdsAny } from '../../../access/users/read.ts'
import { users } from '../../../access/users/tables.ts'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { inOrder, pageKeys } from '../../../kit/db/page.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { timeZoneOf } from '../../../planning/calendar/places.ts'
import { qcReviewers as t } from './tables.ts'

const mayReview = holdsAny(['qa:chat:review', 'qa:ticket:review'])

const named = (table: string, key: string, ids: string) =>
  sql`(select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name) order by n.name), '[]'::json)
    from (select ${sql.identifier(key)} as id, name from ${sql.identifier(table)} where ${sql.identifier(key)} = any(${sql.raw(ids)})) as n)`
/** Reviews of a person in the week that begins so many weeks ago. */
const reviewed = (weeks: number) => {
  const begin = sql`(date_trunc('week', now() at time zone ${sql.placeholder('zone')}) - make_interval(weeks => ${sql.raw(String(weeks))})) at time zone ${sql.placeholder('zone')}`
  const end = sql`(date_trunc('week', now() at time zone ${sql.placeholder('zone')}) - make_interval(weeks => ${sql.raw(String(weeks - 1))})) at time zone ${sql.placeholder('zone')}`
  return sql`(select count(*)::int from qc_reviews v where v.reviewer_id = u.user_id and v.deleted_at is null
    and v.submitted_at >= ${begin} and v.submitted_at < ${end})`
}

const select = rowsByIds<Reviewer>(
  (isWanted) => sql`select u.user_id as id, ${personName('u')} as name, coalesce(t.version, 1) as version,
    ${named('departments', 'department_id', 't.department_ids')} as departments,
    ${named('dossier_teams', 'dossier_team_id', 't.team_ids')} as teams,
    u.is_admin or exists (select from roles o where o.role_id = u.role_id and o.deleted_at is null and 'qa:manager:access' = any(o.scopes)) as "isManager",
    t.weekly_goal as "weeklyGoal", ${reviewed(0)} as "reviewedThisWeek", ${reviewed(1)} as "reviewedLastWeek",
    (select count(*)::int from qc_conversations c where c.assignee_id = u.user_id and c.status = 'queued') as assigned,
    (select count(*)::int from qc_drafts d join qc_conversations c on c.qc_conversation_id = d.conversation_id
      where d.reviewer_id = u.user_id and c.status = 'queued') as drafts,
    (select count(*)::int from qc_escalations e where e.assignee_id = u.user_id and e.status <> 'reviewed') as escalations,
    (select count(*)::int from qc_feedbacks f join qc_reviews v on v.qc_review_id = f.review_id
      where v.reviewer_id = u.user_id and f.type = 'dispute' and f.status in ('open', 'in-progress')) as disputes
  from users u left join qc_reviewers t on t.user_id = u.user_id where ${isWanted(sql`u.user_id`)} and u.deleted_at is null`,
)

const readReviewers = async (db: Db, ids: number[]): Promise<Reviewer[]> =>
  inOrder(ids, await select(db, ids, { zone: await timeZoneOf(db) }))

async function readReviewer(db: Db, id: number): Promise<Reviewer> {
  const [found] = await readReviewers(db, [id])
  if (!found) throw notFound('user', id)
  return found
}

export const reviewerHandlers: Handlers<typeof contract> = {
  async reviewers(input, { db }) {
    const order = {
      column: sql`lower(${users.firstName} || ' ' || ${users.lastName})`,
      type: 'text',
      direction: 'ASC',
    } as const
    const source = { from: sql`${users}`, where: [alive, mayReview], key: users.id, order }
    const { ids, ...page } = await pageKeys(db, input, source)
    return { items: await readReviewers(db, ids), ...page }
  },

  async updateReviewer({ id, version, ...fields }, { db, staff, audit }) {
    await rows(db, sql`select from users where user_id = ${id} for update`)
    const before = await readReviewer(db, id)
    audit.of('manager', id)
    audit.before(before)
    checkVersion(before, version, before.name)
    await checkAdded(db, fields, before)
    await db.insert(t).values({ userId: id, createdBy: staff.id }).onConflictDoNothing()
    await db
      .update(t)
      .set({ ...given(fields), ...nextVersion })
      .where(eq(t.userId, id))
    const after = await readReviewer(db, id)
    audit.after(after)
    await changed(db, 'qc')
    return after
  },
}

/** Throws a 422 for what does not exist. A department or team that the reviewer had may be deleted meanwhile. */
async function checkAdded(
  db: Db,
  { departmentIds = [], teamIds = [] }: { departmentIds?: number[] | undefined; teamIds?: number[] | undefined },
  before: Reviewer,
): Promise<void> {
  const added = (ids: number[], old: Reviewer['teams']) => ids.filter((id) => !old.some((one) => one.id === id))
  await checkDepartments(db, added(departmentIds, before.departments), 'departmentIds')
  const teams = added(teamIds, before.teams)
  const found = await rows<{ id: number }>(
    db,
    sql`select dossier_team_id as id from dossier_teams where dossier_team_id = any(${sql.param(teams)}::int[]) and deleted_at is null`,
  )
  const gone = teams.find((id) => !found.some((team) => team.id === id))
  if (gone !== undefined) throw refused(`Team ${gone} does not exist`, { teamIds: `Team ${gone} does not exist` })
}
