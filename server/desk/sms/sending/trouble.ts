import { sql } from 'drizzle-orm'
import { holdersOf } from '../../../access/notifications/holders.ts'
import { notify } from '../../../access/notifications/notify.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'

/** Seconds between attempts while the gateway refuses our account. */
const PAUSE_S = 60

export interface Trouble {
  reason: string
  since: string | Date
  isDue: boolean
}

/** What the gateway has against our account or address; undefined if nothing. `isDue`: it is time to try again. */
export async function openTrouble(db: Db): Promise<Trouble | undefined> {
  const [found] = await rows<Trouble>(
    db,
    sql`select reason, since, tried_at <= now() - make_interval(secs => ${PAUSE_S}) as "isDue" from sms_troubles where ended_at is null`,
  )
  return found
}

/** Notifies once of a trouble; later attempts only change its reason. */
export const noteTrouble = (db: Db, reason: string): Promise<void> =>
  db.transaction(async (tx) => {
    const [noted] = await rows<{ isNew: boolean }>(
      tx,
      sql`insert into sms_troubles (reason) values (${reason}) on conflict ((true)) where ended_at is null
        do update set reason = excluded.reason, tried_at = now() returning xmax = 0 as "isNew"`,
    )
    if (noted?.isNew)
      await notifyOperators(
        tx,
        'error',
        'The SMS gateway refuses Innkeeper',
        `${reason}. All text messages wait: look at the settings.`,
      )
  })

/** Ends the trouble once the gateway has taken a message, or has refused one for its own sake. */
export const endTrouble = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    if (await close(tx))
      await notifyOperators(tx, 'success', 'The SMS gateway takes messages again', 'The waiting messages are sent now.')
  })

/** After a change of the settings: tried at once. Without a gateway nobody waits for the end any more. */
export async function retryTrouble(db: Db, hasGateway: boolean): Promise<void> {
  if (hasGateway)
    await db.execute(sql`update sms_troubles set tried_at = since - interval '1 day' where ended_at is null`)
  else await close(db)
}

const close = async (db: Db): Promise<boolean> =>
  (await rows(db, sql`update sms_troubles set ended_at = now() where ended_at is null returning 1`)).length > 0

async function notifyOperators(db: Db, level: 'error' | 'success', title: string, body: string): Promise<void> {
  const to = await holdersOf(db, 'sms:settings:update')
  await notify(db, { to, reason: 'sms', level, title, body, link: '/sms/settings' })
  await changed(db, 'sms')
}
