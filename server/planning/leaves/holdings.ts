import { sql } from 'drizzle-orm'
import { endWeakEntriesOf } from '../../access/rights/letIn.ts'
import type { Holding } from '../../kit/app/holding.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { mayAppoint } from './requests/approvers.ts'

/** Lists of approvers that name a departing person. The successor takes the place, at most once per list. */
export const approverPlaces: Holding = {
  key: 'leaves',
  label: 'Places among leave approvers',
  count: placesOf,
  async handOver(db, from, to, by) {
    if (!(await placesOf(db, from))) return
    await mayAppoint(by, [to.id])
    await db.execute(sql`delete from leave_approvers a where a.user_id = ${from} and exists (select from leave_approvers b
      where b.leave_approver_list_id = a.leave_approver_list_id and b.user_id = ${to.id})`)
    await db.execute(sql`update leave_approvers set user_id = ${to.id},
      substitute_id = nullif(substitute_id, ${to.id}) where user_id = ${from}`)
    await db.execute(
      sql`update leave_approvers set substitute_id = nullif(${to.id}, user_id) where substitute_id = ${from}`,
    )
    await endWeakEntriesOf(by, [to.id])
    await changed(db, 'leaves')
  },
}

async function placesOf(db: Db, userId: number): Promise<number> {
  const [found] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from leave_approvers where user_id = ${userId} or substitute_id = ${userId}`,
  )
  return found?.n ?? 0
}
