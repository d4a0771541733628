import { keyOf, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import type { Permission } from '@innkeeper/contract/permissions/services'
import { sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { refused } from '../../../kit/http/errors.ts'
import { info } from '../info.ts'

/** Staff who have a permission: `r` is the role of the user `u`. */
const readers = (
  scope: Permission,
) => sql`from users u left join roles r on r.role_id = u.role_id and r.deleted_at is null
  where u.deleted_at is null and (u.is_admin or ${scope} = any(r.scopes))`

/** Throws a 422 beside the field for people who are deleted or may not see the items of the tracker. */
export async function checkReaders(db: Db, tracker: Tracker, ids: readonly number[], field: string): Promise<void> {
  if (!ids.length) return
  const found = await rows<{ id: number }>(
    db,
    sql`select u.user_id as id ${readers(info[tracker].read)} and u.user_id = any(${sql.param([...ids])}::int[])`,
  )
  const lost = ids.find((id) => !found.some((one) => one.id === id))
  if (lost !== undefined)
    throw refused(`User ${lost} may not see ${info[tracker].plural}`, {
      [field]: `User ${lost} may not see ${info[tracker].plural}`,
    })
}

/** Everybody who may see the items of a tracker, by name. */
export const readersOf = (db: Db, tracker: Tracker): Promise<{ id: number; name: string }[]> =>
  rows(
    db,
    sql`select u.user_id as id, ${personName('u')} as name ${readers(info[tracker].read)} order by 2, 1 limit 2000`,
  )

export async function readerIds(db: Db, tracker: Tracker): Promise<Set<number>> {
  const found = await rows<{ id: number }>(db, sql`select u.user_id as id ${readers(info[tracker].read)}`)
  return new Set(found.map(({ id }) => id))
}

export async function watch(db: Db, itemId: number, people: readonly number[]): Promise<void> {
  if (people.length)
    await db.execute(sql`insert into tracker_watchers (item_id, user_id)
      select ${itemId}, id from unnest(${sql.param([...new Set(people)])}::int[]) as id on conflict do nothing`)
}

interface About {
  id: number
  tracker: Tracker
  number: number
  title: string
}

/** Notifies `to`, or else the watchers who may still see the item, without the person who acted. */
export async function notifyOfItem(
  db: Db,
  by: { id: number; name: string } | null,
  item: About,
  news: string,
  to?: readonly number[],
): Promise<number[]> {
  const who = to
    ? sql`u.user_id = any(${sql.param([...to])}::int[])`
    : sql`u.user_id in (select w.user_id from tracker_watchers w where w.item_id = ${item.id})`
  const found = await rows<{ id: number }>(
    db,
    sql`select u.user_id as id ${readers(info[item.tracker].read)} and ${who} and u.user_id <> ${by?.id ?? 0}`,
  )
  const people = found.map(({ id }) => id)
  if (people.length)
    await notify(db, {
      to: people,
      reason: 'tracker',
      title: `${keyOf(item.tracker, item.number)}: ${item.title}`,
      body: news,
      link: `${info[item.tracker].path}/${item.id}`,
    })
  return people
}
