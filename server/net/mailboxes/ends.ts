import { eq, sql } from 'drizzle-orm'
import { holdersOf } from '../../access/notifications/holders.ts'
import { notify } from '../../access/notifications/notify.ts'
import type { App } from '../../kit/app/app.ts'
import { rows } from '../../kit/db/db.ts'
import { automatic, nextTry } from '../../kit/work/automatic.ts'
import { eachOf, failedLast } from '../../kit/work/round.ts'
import { applied } from './startWorkflow.ts'
import { mailboxes } from './tables.ts'

/** Title of the round. */
const ROUND = 'the status of a mail domain could not end'

const AT_ONCE = 50

/**
 * Activates mail domains and mailboxes whose status has ended, and tries again where the server failed to apply that.
 * Returns the number of changed mail domains.
 */
export async function endStatuses(app: App): Promise<number> {
  const due = await rows<{ id: number }>(
    app.db,
    sql`select id from (select mailbox_id as id from mailboxes where deleted_at is null and until <= now()
        union select mailbox_id from mailbox_users where deleted_at is null and until <= now()
        union select mailbox_id from mailboxes where deleted_at is null and apply_at <= now()) d
      order by ${failedLast(app, ROUND, sql`d.id`)}, d.id limit ${AT_ONCE}`,
  )
  await eachOf(app, ROUND, due, ({ id }) =>
    app.db.transaction(async (tx) => {
      const active = sql`status = 'active', reason = '', until = null, version = version + 1, updated_at = now()`
      await tx.execute(sql`update mailboxes set ${active} where mailbox_id = ${id} and until <= now()`)
      await tx.execute(sql`update mailbox_users set ${active}
          where mailbox_id = ${id} and until <= now() and deleted_at is null`)
      await tx.execute(sql`update mailboxes set apply_at = null where mailbox_id = ${id}`)
      await applied(tx, id, 'mailbox.toggle', { id: null, name: 'Innkeeper' })
    }),
  )
  return due.length
}

/** Declares the workflows of this file, for domain.ts. */
export function statusWorkflows(): void {
  automatic('mailbox.toggle', async (tx, { subjectId: id, subjectName }, { why, failures }) => {
    await tx
      .update(mailboxes)
      .set({ applyAt: nextTry(failures).toISOString() })
      .where(eq(mailboxes.id, id))
    if (failures > 1) return
    await notify(tx, {
      to: await holdersOf(tx, 'mailbox:mailbox:toggle'),
      reason: 'server',
      level: 'warning',
      title: `A status of ${subjectName} has ended, but its mail server has not applied this yet`,
      body: `${why}. Innkeeper tries again by itself, the first time in five minutes.`,
      link: `/mailboxes/edit/${id}`,
    })
  })
}
