import { sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'

/** Marks an alert as acknowledged and notifies its other recipients. Returns false if it was already acknowledged. */
export async function acknowledgeAlert(db: Db, id: number, by: { id: number; name: string }): Promise<boolean> {
  const [taken] = await rows<{ body: string; link: string | null }>(
    db,
    sql`update sms_batches set acknowledged_at = now(), acknowledged_by = ${by.id}
      where sms_batch_id = ${id} and kind = 'alert' and acknowledged_at is null returning body, link`,
  )
  if (!taken) return false
  const others = await rows<{ id: number }>(
    db,
    sql`select distinct user_id as id from sms_messages where sms_batch_id = ${id} and user_id is not null and user_id <> ${by.id}`,
  )
  await notify(db, {
    ...{ to: others.map((one) => one.id), reason: 'sms', body: taken.body },
    title: `${by.name} takes care of it`,
    ...(taken.link && { link: taken.link }),
  })
  await changed(db, 'sms', id)
  return true
}
