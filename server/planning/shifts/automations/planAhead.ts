import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { eachOf } from '../../../kit/work/round.ts'
import { runAhead } from './ahead.ts'
import { holdAutomation } from './automations.ts'

/** Extends the plan of every automation to its weeks ahead, each in its own transaction. */
export async function planAhead(app: Pick<App, 'db' | 'log'>, now = new Date()): Promise<void> {
  const due = await rows<{ id: number }>(
    app.db,
    sql`select shift_automation_id as id from shift_automations
      where is_active and deleted_at is null and (end_date is null or end_date >= ${now.toISOString()}::date)
        and (planned_to is null or planned_to < ${now.toISOString()}::date + weeks_ahead * 7 - 1)
        and not exists (select from shift_followings f where f.automation_id = shift_automation_id)
      order by 1`,
  )
  const title = 'a shift automation could not plan ahead'
  const refused = ({ id }: { id: number }, err: unknown) => app.log.warn({ err, id }, title)
  const one = ({ id }: { id: number }) =>
    app.db.transaction(async (tx) => {
      const context = { db: tx, now }
      const automation = await holdAutomation(context, id)
      const done = await runAhead(context, automation)
      if (done.made || done.changed || done.removed) await changed(tx, 'shifts')
    })
  await eachOf(app, title, due, one, { refused })
}
