import type { LogChain, LogCheck, LogRow } from '@innkeeper/contract/access/log'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { LATE } from '../../kit/audit/seal.ts'
import { actionLogChecks, actionLogSeals, actionLogs } from '../../kit/audit/tables.ts'
import { type Check, lastCheck } from '../../kit/audit/verifyChain.ts'
import { byIds } from '../../kit/db/byIds.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'

const columns = {
  id: actionLogs.id,
  time: actionLogs.at,
  staffId: actionLogs.staffId,
  staffName: actionLogs.staffName,
  service: actionLogs.service,
  action: actionLogs.action,
  resource: actionLogs.resource,
  resourceId: actionLogs.resourceId,
  subject: actionLogs.subject,
  result: actionLogs.result,
  before: actionLogs.before,
  after: actionLogs.after,
  workflowId: actionLogs.workflowId,
  ip: actionLogs.ip,
  requestId: actionLogs.requestId,
  seal: actionLogSeals.position,
}

const select = byIds((db, isWanted) =>
  db
    .select(columns)
    .from(actionLogs)
    .leftJoin(actionLogSeals, eq(actionLogSeals.actionLogId, actionLogs.id))
    .where(isWanted(actionLogs.id)),
)

/** Log rows in the order of `ids`, as the contract defines them. */
export const readLogs = async (db: Db, ids: number[]): Promise<LogRow[]> => inOrder(ids, await select(db, ids))

export async function readLog(db: Db, id: number): Promise<LogRow> {
  const [row] = await select(db, [id])
  if (!row) throw notFound('log row', id)
  return row
}

export async function readChain(db: Db): Promise<LogChain> {
  const [end] = await rows<{ sealed: number; hash: string; last: number }>(
    db,
    sql`select position::int as sealed, hash, action_log_id::int as last from action_log_seals order by position desc limit 1`,
  )
  const [open] = await rows<{ unsealed: number }>(
    db,
    sql`select count(*)::int as unsealed from (select 1 from action_logs l
      where l.action_log_id > ${(end?.last ?? 0) - LATE}::bigint
        and not exists (select 1 from action_log_seals s where s.action_log_id = l.action_log_id) limit 1000) as waiting`,
  )
  const check = await lastCheck(db, undefined)
  const through = and(isNotNull(actionLogChecks.endedAt), isNull(actionLogChecks.brokenPosition), actionLogChecks.whole)
  const whole = await lastCheck(db, through)
  return {
    sealed: end?.sealed ?? 0,
    hash: end?.hash ?? null,
    unsealed: open?.unsealed ?? 0,
    check: check ? shownCheck(check) : null,
    whole: whole ? shownCheck(whole) : null,
  }
}

export const shownCheck = ({
  brokenPosition,
  brokenRowId,
  brokenReason,
  hash: _,
  behind: from,
  ...check
}: Check): LogCheck => ({
  ...check,
  from,
  broken:
    brokenPosition === null || brokenReason === null
      ? null
      : { position: brokenPosition, rowId: brokenRowId, reason: brokenReason },
})
