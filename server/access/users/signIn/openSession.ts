import { placeWord } from '@innkeeper/contract/access/device'
import { eq, sql } from 'drizzle-orm'
import type { Origin } from '../../../kit/access/sessions.ts'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { users } from '../tables.ts'

/** Number of days for which a device is known after a sign-in. */
const KNOWN_DAYS = 90

/** Last step of every sign-in, in its transaction: opens the session and tells the person of a new device. Returns the token. */
export async function openSession(
  app: Pick<App, 'sessions' | 'notify'>,
  tx: Db,
  userId: number,
  from: Origin,
): Promise<string> {
  const [user] = await tx
    .update(users)
    .set({ lastSignInAt: sql`now()` })
    .where(eq(users.id, userId))
    .returning({ suspendedAt: users.suspendedAt })
  if (user?.suspendedAt)
    throw new Refusal(403, { code: 'suspended', message: 'This account is suspended. Ask an administrator.' })
  if (await isNewDevice(tx, userId, from))
    await app.notify(tx, {
      to: [userId],
      reason: 'rights',
      level: 'warning',
      title: `Signed in on a new device: ${placeWord(from.userAgent)}`,
      body: `From ${from.ip ?? 'an unknown address'}. If it was not you, end the session and change your password.`,
      link: '/security',
    })
  await changed(tx, 'users', userId)
  return app.sessions.open(tx, userId, from)
}

/** Whether the person signed in elsewhere lately, and not here. The first sign-in of all is no news. */
async function isNewDevice(db: Db, userId: number, { device = null, ip, userAgent }: Origin): Promise<boolean> {
  const [found] = await rows<{ some: boolean; here: boolean }>(
    db,
    sql`select count(*) > 0 as some, coalesce(bool_or(case when device is not null and ${device}::text is not null
          then device = ${device} else ip = ${ip} and user_agent is not distinct from ${userAgent?.slice(0, 300) ?? null} end), false) as here
      from sessions where user_id = ${userId} and ip is not null and created_at > now() - make_interval(days => ${KNOWN_DAYS})`,
  )
  return found?.some === true && !found.here
}
