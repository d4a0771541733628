import { sql } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import { rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { operatorsReach } from '../../kit/outgoing/reach.ts'
import { send } from '../../kit/outgoing/send.ts'
import { lateOf } from '../../kit/watch/nodes.ts'
import { whyOf } from './alerts/deliver.ts'

const PATIENCE_MS = 15_000
const started = Date.now()

/**
 * Asks the address of the dead man's switch, by one worker at a time. The claim writes to the database, so that a database
 * that is away or read-only ends the heartbeat, as a worker does whose schedules do not succeed.
 */
export async function beat(app: App): Promise<void> {
  const { heartbeat } = app.settings
  if (!heartbeat) return forget(app)
  if (lateOf(app.rounds ?? new Map(), Date.now(), started).length) return
  const claimed = await rows(
    app.db,
    sql`insert into own_heartbeats (claimed_at) values (now()) on conflict ("only") do update set claimed_at = now()
      where own_heartbeats.claimed_at <= now() - make_interval(secs => ${heartbeat.everyS}) returning 1`,
  )
  if (!claimed.length) return
  const error = await ask(app, heartbeat.url).then(
    () => undefined,
    (why: unknown) => whyOf(why),
  )
  await app.db.execute(
    error === undefined
      ? sql`update own_heartbeats set sent_at = now(), failing_since = null, error = null`
      : sql`update own_heartbeats set failing_since = coalesce(failing_since, now()), error = ${error}`,
  )
  await changed(app.db, 'operation')
}

const forgotten = new WeakSet<App['settings']>()
/** Without the setting, the last heartbeat is no figure that grows. */
async function forget({ db, settings }: App): Promise<void> {
  if (forgotten.has(settings)) return
  await db.execute(sql`delete from own_heartbeats`)
  forgotten.add(settings)
}

async function ask(app: App, url: string): Promise<void> {
  const { status } = await send(operatorsReach(app), {
    ...{ url: new URL(url), method: 'GET', headers: { 'user-agent': 'Innkeeper-Heartbeat/1' } },
    ...{ patienceMs: PATIENCE_MS, mostBytes: 2000, longer: 'cut' },
  })
  if (status < 200 || status >= 300) throw new Error(`the address answered ${status}`)
}
