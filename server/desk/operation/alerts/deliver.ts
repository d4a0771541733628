import type { AlertChannel } from '@innkeeper/contract/desk/operation'
import { sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { NotReached } from '../../../kit/outgoing/notReached.ts'
import { type Alert, channels } from './channels.ts'

/** Seconds between attempts, about two days together. Then the alert is given up. */
export const PAUSES = [10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 43_200]
/** Seconds after which the attempt of a process that was killed counts as lost. */
const LOST_S = 120
const AT_ONCE = 20

type Due = Omit<Alert, 'id'> & { id: number; channel: AlertChannel; attempts: number }

/** Sends the alerts that are due. Returns after the last of them; a channel that fails delays no other one. */
export async function deliverAlerts(app: App): Promise<void> {
  const due = await rows<Due>(
    app.db,
    sql`update own_alerts set attempts = attempts + 1, next_at = now() + make_interval(secs => ${LOST_S})
      where own_alert_id in (select own_alert_id from own_alerts where next_at <= now() order by next_at, own_alert_id
        limit ${AT_ONCE} for update skip locked)
      returning own_alert_id as id, channel, kind, subject, body, troubles, attempts`,
  )
  await Promise.all(due.map((alert) => deliver(app, alert)))
  await app.db.execute(sql`delete from own_alerts where next_at is null and created_at < now() - interval '90 days'`)
}

async function deliver(app: App, { id, channel, attempts, ...alert }: Due): Promise<void> {
  const error = await channels[channel](app, { ...alert, id: `innkeeper-alert-${id}` }).then(
    () => undefined,
    (why: unknown) => why,
  )
  if (error === undefined)
    await app.db.execute(
      sql`update own_alerts set next_at = null, sent_at = now(), error = null where own_alert_id = ${id}`,
    )
  else {
    app.log.warn({ err: error, channel, alert: id }, 'an alert could not be sent')
    const pause = PAUSES[attempts - 1]
    await app.db.execute(sql`update own_alerts set error = ${whyOf(error)},
      next_at = ${pause === undefined ? sql`null` : sql`now() + make_interval(secs => ${pause})`} where own_alert_id = ${id}`)
  }
  await changed(app.db, 'operation')
}

/** The operator wrote the address, and may read why it is not reached. */
export function whyOf(error: unknown): string {
  const cause = error instanceof NotReached ? error.cause : error
  const text = cause instanceof Error ? cause.message || cause.name : String(cause)
  return text.replaceAll('\0', '').slice(0, 300)
}
