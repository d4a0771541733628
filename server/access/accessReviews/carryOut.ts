import type { AccessKind } from '@innkeeper/contract/access/accessReviews'
import { sql } from 'drizzle-orm'
import { writeLog } from '../../kit/audit/audit.ts'
import { rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import type { Context } from '../../kit/http/api.ts'
import { Refusal } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { notifyOfFlag, notifyOfLoss, notifyOfMove } from '../rights/notices.ts'
import { mayActOn, mayAssignTo, mayPlace } from '../rights/reach.ts'
import { keepAnAdministrator, mayAssign, mayMakeAdministrators, removeInTurn, rightsChanged } from '../rights/rights.ts'

interface Row {
  id: number
  userId: number
  userName: string
  kind: AccessKind
  refId: number | null
  name: string
  source: string
}
type Removal = (context: Context, row: Row) => Promise<boolean>

const GONE = 'Was gone already'

/**
 * Removes what was decided, each by the rules that hold for whoever ends the review. What they refuse stays, and its row says
 * why. The checks of a row come before its first write.
 */
export async function carryOut(context: Context, reviewId: number): Promise<void> {
  const { db, staff } = context
  await removeInTurn(db)
  await holdRemoved(context, reviewId)
  const found = await rows<Row>(
    db,
    sql`select i.access_review_item_id as id, i.user_id as "userId", trim(${personName('u')}) as "userName",
        i.kind, i.ref_id as "refId", i.name, i.source
      from access_review_items i join users u on u.user_id = i.user_id
      where i.review_id = ${reviewId} and i.decision = 'remove' order by i.user_id, i.access_review_item_id for update of u`,
  )
  for (const row of found) {
    const outcome = await outcomeOf(context, row)
    await db.execute(sql`update access_review_items set outcome = ${outcome} where access_review_item_id = ${row.id}`)
    await writeLog(
      db,
      {
        ...{ staffId: staff.id, staffName: staff.name, service: 'users', action: 'remove-access', resource: 'user' },
        ...{ resourceId: String(row.userId), subject: row.userName, workflowId: null, ip: null, requestId: null },
      },
      outcome.startsWith('Not removed') ? 'failed' : 'success',
      { kind: row.kind, name: row.name, outcome },
    )
  }
  if (!found.length) return
  await changed(db, 'users')
  await changed(db, 'roles')
  await changed(db, 'apiTokens')
  await changed(db, 'elevations')
}

/** Before the rows of the people, because some lose their department. */
async function holdRemoved({ db, app }: Context, reviewId: number): Promise<void> {
  const found = await rows<{ userId: number }>(
    db,
    sql`select distinct user_id as "userId" from access_review_items
      where review_id = ${reviewId} and decision = 'remove' and kind = 'department'`,
  )
  await app.holdForDepartment(
    db,
    found.map(({ userId }) => userId),
  )
}

async function outcomeOf(context: Context, row: Row): Promise<string> {
  try {
    if (!(await removals[row.kind](context, row))) return GONE
    return row.source.startsWith('groups of ')
      ? `Removed; the ${row.source} give it again unless they change`
      : 'Removed'
  } catch (error) {
    if (error instanceof Refusal) return `Not removed: ${error.message}`
    throw error
  }
}

const removals: Record<AccessKind, Removal> = {
  async administrator({ db, app, staff }, { userId }) {
    mayMakeAdministrators(staff)
    const [is] = await rows(db, sql`select from users where user_id = ${userId} and is_admin and deleted_at is null`)
    if (!is) return false
    await keepAnAdministrator(db, userId)
    await db.execute(
      sql`update users set is_admin = false, version = version + 1, updated_at = now() where user_id = ${userId}`,
    )
    await rightsChanged(app, db, staff, { ids: [userId] })
    await notifyOfFlag(app, db, staff, userId, false)
    return true
  },

  async role({ db, app, staff }, { userId, refId }) {
    mayAssign(staff)
    mayAssignTo(staff, [userId])
    await mayActOn(db, staff, { ids: [userId] })
    const [done] = await rows(
      db,
      sql`update users set role_id = null, version = version + 1, updated_at = now()
        where user_id = ${userId} and role_id = ${refId} and deleted_at is null returning user_id`,
    )
    if (!done) return false
    await rightsChanged(app, db, staff, { ids: [userId] })
    await notifyOfMove(app, db, staff, [userId], null)
    return true
  },

  async department({ db, app, staff, now }, { userId, refId, name }) {
    await mayActOn(db, staff, { ids: [userId] })
    await mayPlace(db, staff, [userId], null)
    const [done] = await app.changeDepartment(db, { userIds: [userId], by: staff, now }, () =>
      rows(
        db,
        sql`update users set department_id = null, version = version + 1, updated_at = now()
        where user_id = ${userId} and department_id = ${refId} and deleted_at is null returning user_id`,
      ),
    )
    if (!done) return false
    await rightsChanged(app, db, staff, { ids: [userId] })
    await notifyOfLoss(app, db, staff, userId, `the department ${name}`)
    return true
  },

  async elevation({ db, app, staff }, { userId, refId, name }) {
    await mayActOn(db, staff, { ids: [userId] })
    const [done] = await rows(
      db,
      sql`update elevations x set ended_at = now(), ended_by_id = ${staff.id}, ending = 'hand', told_at = now(),
          version = x.version + 1, updated_at = now()
        where x.elevation_id = ${refId} and x.ended_at is null and x.ends_at > now() returning x.elevation_id`,
    )
    if (!done) return false
    await app.sessions.touch(db, userId)
    await notifyOfLoss(app, db, staff, userId, `the elevation ${name}`)
    return true
  },

  async token({ db, app, staff }, { userId, refId, name }) {
    await mayActOn(db, staff, { ids: [userId] })
    const [done] = await rows<{ id: number }>(
      db,
      sql`update api_tokens set revoked_at = now(), version = version + 1, updated_at = now()
        where api_token_id = ${refId} and revoked_at is null returning api_token_id as id`,
    )
    if (!done) return false
    await app.sessions.endToken(db, done.id)
    await notifyOfLoss(app, db, staff, userId, `the API token ${name}`)
    return true
  },
}
