import type { Language } from '@innkeeper/contract/access/locale'
import { owed, type Reason } from '@innkeeper/contract/access/notifications'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { speakIn } from '../../kit/app/language.ts'
import type { Notice } from '../../kit/app/notice.ts'
import { chunks } from '../../kit/db/chunks.ts'
import type { Db } from '../../kit/db/db.ts'
import { isForeseen } from '../../kit/db/foresee.ts'
import { pushEach } from '../../kit/live/live.ts'
import { profiles } from '../profiles/tables.ts'
import { users } from '../users/tables.ts'
import { isQuiet } from './quiet.ts'
import { notifications } from './tables.ts'

const TITLE = 200
/** A NOTIFY payload is limited to 8,000 bytes; an escaped text of this length stays below in every script. */
const BODY = 1000

/**
 * Adds a notification for each person, in the caller's transaction. After the commit the notification is in their list
 * and appears on their screens, except during quiet hours and for reasons set to list only. Cuts long texts. A preview notifies nobody.
 */
export const notify = (db: Db, notice: Notice): Promise<void> => notifyEach(db, [notice])

/** Like `notify`, for notifications that differ by person: in a few statements, because a change may concern thousands of people. */
export async function notifyEach(db: Db, notices: readonly Notice[]): Promise<void> {
  if (isForeseen()) return
  for (const [reason, alike] of Map.groupBy(notices, (notice) => notice.reason)) {
    const people = await wanting(db, [...new Set(alike.flatMap(({ to }) => to))], reason)
    const wanted = new Map(people.map((person) => [person.id, person]))
    const all = alike.flatMap((notice) => {
      const shown = new Map<Language, ReturnType<typeof shownOf>>()
      return [...new Set(notice.to)].flatMap((userId) => {
        const { silent, language = 'en' } = wanted.get(userId) ?? {}
        if (silent === undefined) return []
        const text = shown.get(language) ?? shownOf({ ...notice, ...(notice.say && speakIn(language, notice.say)) })
        shown.set(language, text)
        return [{ ...text, userId, silent }]
      })
    })
    // a statement has at most 65,535 values
    for (const some of chunks(all, 2000)) await store(db, some)
  }
}

const shownOf = ({ reason, title, body, link, level = 'info' }: Notice) => ({
  ...{ reason, level, title: cut(title, TITLE), body: cut(body, BODY) },
  ...(link && { link }),
})

async function store(db: Db, all: (ReturnType<typeof shownOf> & { userId: number; silent: boolean })[]): Promise<void> {
  const made = await db.insert(notifications).values(all).returning()
  await pushEach(
    db,
    made.map(({ id, userId, silent, date, reason, level, title, body, link }) =>
      silent
        ? { to: userId, event: 'changed', data: { domain: 'notifications', id } }
        : {
            ...{ to: userId, event: 'notification' },
            data: { reason, level, title, body, ...(link && { link }), _id: id, date },
          },
    ),
  )
}

/** The people who receive this notification, and whether silently (list only). */
async function wanting(db: Db, ids: number[], reason: Reason, now = new Date()) {
  if (!ids.length) return []
  const found = await db
    .select({
      id: users.id,
      zone: profiles.timeZone,
      from: profiles.quietFrom,
      to: profiles.quietTo,
      deliveries: profiles.deliveries,
      language: profiles.language,
    })
    .from(users)
    .leftJoin(profiles, eq(profiles.id, users.id))
    .where(and(inArray(users.id, ids), isNull(users.deletedAt)))
  return found.flatMap(({ id, zone, from, to, deliveries, language }) => {
    const delivery = deliveries?.[reason] ?? 'toast'
    if (delivery === 'off' && !owed.includes(reason)) return []
    return { id, silent: delivery !== 'toast' || isQuiet(now, zone, from, to), language: language ?? 'en' }
  })
}

/** Removes control characters other than line breaks; cuts between whole characters. */
function cut(text: string, most: number): string {
  const clean = [...text.replace(/[^\P{Cc}\n]/gu, ' ')]
  return clean.length <= most ? clean.join('') : `${clean.slice(0, most - 1).join('')}…`
}
