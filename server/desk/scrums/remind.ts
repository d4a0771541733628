import { sql } from 'drizzle-orm'
import { notify } from '../../access/notifications/notify.ts'
import type { App } from '../../kit/app/app.ts'
import { rows } from '../../kit/db/db.ts'
import { readSettings } from './settings.ts'

/** Reminds people once of a submitted audit that they have not acknowledged. */
export const remind = ({ db }: App): Promise<void> =>
  db.transaction(async (tx) => {
    const { remindDays } = await readSettings(tx)
    if (!remindDays) return
    const due = await rows<{ id: number; name: string; userId: number }>(
      tx,
      sql`update scrum_audits set reminded_at = now() where scrum_audit_id in (select scrum_audit_id from scrum_audits
          where status = 'submitted' and deleted_at is null and reminded_at is null
            and submitted_at < now() - make_interval(days => ${remindDays}) limit 200 for update skip locked)
        returning scrum_audit_id as id, name, user_id as "userId"`,
    )
    for (const { id, name, userId } of due)
      await notify(tx, {
        ...{ to: [userId], reason: 'quality', link: `/scrums/my?audit=${id}` },
        title: `${name} waits for you`,
        body: 'Read and acknowledge your audit.',
      })
  })
