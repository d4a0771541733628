import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { askCheck } from '../../kit/audit/verifyChain.ts'
import { rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { holdersOf } from '../notifications/holders.ts'

/** Minimum time that a worker runs before it requests a verification, so that a restart does not start with one. */
const SETTLED_MS = 600_000

/** Requests a verification of the action log once a day, of the whole log once a week. */
export async function verifyDaily({ db }: App, runningMs: number): Promise<void> {
  if (runningMs < SETTLED_MS) return
  const [found] = await rows<{ today: boolean; week: boolean }>(
    db,
    sql`select coalesce(bool_or(started_at > now() - interval '23 hours'), false) as today,
        coalesce(bool_or(whole and broken_position is null and ended_at > now() - interval '7 days'), false) as week
      from action_log_checks`,
  )
  if (!found || found.today) return
  await db.transaction(async (tx) => {
    await askCheck(tx, 'Innkeeper', !found.week)
    await changed(tx, 'log')
  })
}

/** Notifies everybody who may read the action log that its chain is broken, once for each place. */
export async function notifyBroken({ db, notify }: App): Promise<void> {
  await db.transaction(async (tx) => {
    const [broken] = await rows<{ position: number; reason: 'altered' | 'missing' }>(
      tx,
      sql`select broken_position::int as position, broken_reason as reason from action_log_checks
        where action_log_check_id = (select max(action_log_check_id) from action_log_checks where ended_at is not null)
          and broken_position is not null
        for update`, // workers notify one after the other
    )
    if (!broken) return
    const body = `Row ${broken.position} of the chain is ${broken.reason}. Ask who has access to the database, and compare the log with a backup.`
    const [known] = await rows(tx, sql`select from notifications where reason = 'log' and body = ${body} limit 1`)
    if (known) return
    await notify(tx, {
      to: await holdersOf(tx, 'logs:action-logs:read'),
      reason: 'log',
      level: 'error',
      title: 'The action log was changed outside Innkeeper',
      body,
      link: '/action-logs',
    })
  })
}
