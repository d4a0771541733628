import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { readSettings } from '../settings.ts'
import type { smsBatches } from '../tables.ts'
import { expand } from './expand.ts'

type Batch = Pick<
  typeof smsBatches.$inferSelect,
  'id' | 'kind' | 'body' | 'values' | 'targets' | 'urgent' | 'createdBy'
>

/** Finds the recipients of scheduled sends that are due: people on shift now, with their present numbers. */
export async function expandDue({ db }: App): Promise<void> {
  for (let more = true; more; )
    more = await db.transaction(async (tx) => {
      const [batch] = await rows<Batch>(
        tx,
        sql`select sms_batch_id as id, kind, body, values, targets, urgent, created_by as "createdBy" from sms_batches
          where expanded_at is null and cancelled_at is null and send_at <= now() order by send_at limit 1 for update skip locked`,
      )
      if (!batch) return false
      await expand(tx, await readSettings(tx), batch, new Date())
      await changed(tx, 'sms', batch.id)
      return true
    })
}
