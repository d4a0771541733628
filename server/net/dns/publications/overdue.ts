import { and, eq, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { eachOf, failedLast } from '../../../kit/work/round.ts'
import { nextVersion } from '../records/apply.ts'
import { readNameServers } from '../settings.ts'
import { zones } from '../tables.ts'
import { type By, publish } from './publish.ts'
import { cancelStoppedSyncs, startSync } from './sync.ts'

/** The signatures of a secondary are as old as its copy, and valid for at most three weeks. */
const RESIGN_DAYS = 6

/** Title of the round. */
const ROUND = 'a signed zone could not be published again'
const itself: By = { id: null, name: 'Innkeeper' }

/** Hourly: repairs name servers that drifted, and publishes signed zones again before their signatures expire. */
export async function syncOverdue(app: App): Promise<void> {
  const { db } = app
  const [any] = await rows(db, sql`select from zones where deleted_at is null and active limit 1`)
  if (!any || !(await readNameServers(db)).length) return
  const isOld = sql`${zones.deletedAt} is null and ${zones.active} and ${zones.dnssec} and (${zones.keys} = '[]'::jsonb or exists (select from zone_states s
    where s.zone_id = ${zones.id} and s.at < now() - make_interval(days => ${RESIGN_DAYS})))`
  const old = await db
    .select({ id: zones.id, serial: zones.serial })
    .from(zones)
    .where(isOld)
    .orderBy(failedLast(app, ROUND, sql`${zones.id}`), zones.id)
    .limit(200)
  await eachOf(app, ROUND, old, ({ id, serial: seen }) =>
    db.transaction(async (tx) => {
      // another worker that published the zone raised its serial
      const mine = and(eq(zones.id, id), eq(zones.serial, seen), isOld)
      const [zone] = await tx.select().from(zones).where(mine).for('update', { skipLocked: true })
      if (!zone) return
      const serial = nextVersion(zone.serial)
      await tx.execute(sql`update zones set serial = ${serial}, version = version + 1 where zone_id = ${zone.id}`)
      await publish(tx, app, { ...zone, serial }, itself, { behind: true })
    }),
  )
  await db
    .transaction(async (tx) => {
      await cancelStoppedSyncs(tx, 'the next comparison')
      await startSync(tx, itself, { repair: true })
    })
    .catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error // a sync is already running
    })
}
