import { type levels, owed, type Reason } from '@innkeeper/contract/notifications'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../kit/db/db.ts'
import { pushEach } from '../kit/live/live.ts'
import { profiles } from '../profiles/tables.ts'
import { users } from '../users/tables.ts'
import { isQuiet } from './quiet.ts'
import { notifications } from './tables.ts'

const TITLE = 200
/** A NOTIFY carries 8,000 bytes: escaped and in any script this stays below. */
const BODY = 1000

export interface Notice {
  /** Staff ids; who is gone or does not want to hear of this reason is left out. */
  to: readonly number[]
  reason: Reason
  title: string
  body: string
  /** Where it leads: a path of the app. */
  link?: string
  level?: (typeof levels)[number]
}

/**
 * Tells people something, in the caller's transaction: it stands in their lists when that commits, and pops up on their
 * screens then, unless it is their quiet time or they want it in the list alone. Longer texts are cut.
 */
export async function notify(db: Db, { to, reason, title, body, link, level = 'info' }: Notice): Promise<void> {
  const people = await wanting(db, [...new Set(to)], reason)
  if (!people.length) return
  const notice = { reason, level, title: cut(title, TITLE), body: cut(body, BODY), ...(link && { link }) }
  const made = await db
    .insert(notifications)
    .values(people.map(({ id, silent }) => ({ ...notice, userId: id, silent })))
    .returning()
  await pushEach(
    db,
    made.map(({ id, userId, silent, date }) =>
      silent
        ? { to: userId, event: 'changed', data: { domain: 'notifications', id } }
        : { to: userId, event: 'notification', data: { ...notice, _id: id, date } },
    ),
  )
}

/** Who of these is to be told, and whether without a notice. */
async function wanting(db: Db, ids: number[], reason: Reason, now = new Date()) {
  if (!ids.length) return []
  const found = await db
    .select({
      id: users.id,
      zone: profiles.timeZone,
      from: profiles.quietFrom,
      to: profiles.quietTo,
      deliveries: profiles.deliveries,
    })
    .from(users)
    .leftJoin(profiles, eq(profiles.id, users.id))
    .where(and(inArray(users.id, ids), isNull(users.deletedAt)))
  return found.flatMap(({ id, zone, from, to, deliveries }) => {
    const delivery = deliveries?.[reason] ?? 'toast'
    if (delivery === 'off' && !owed.includes(reason)) return []
    return { id, silent: delivery !== 'toast' || isQuiet(now, zone, from, to) }
  })
}

/** Without control characters but line ends; cut at a whole character. */
function cut(text: string, most: number): string {
  const clean = [...text.replace(/[^\P{Cc}\n]/gu, ' ')]
  return clean.length <= most ? clean.join('') : `${clean.slice(0, most - 1).join('')}…`
}
