import type { notifications as contract, Notification } from '@innkeeper/contract/access/notifications'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { byIds, rowsByIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { contains, inOrder, pageKeys } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound } from '../../kit/http/errors.ts'
import { push } from '../../kit/live/live.ts'
import { notifications as table } from './tables.ts'

/** Upper limit of the count: above 99 the bell shows 99+. */
const COUNTED = 100

export const notificationsHandlers: Handlers<typeof contract> = {
  async list(input, { db, staff }) {
    const where = [eq(table.userId, staff.id)]
    if (input.reason) where.push(eq(table.reason, input.reason))
    if (input.level) where.push(eq(table.level, input.level))
    if (input.unread) where.push(input.unread === 'true' ? isNull(table.readAt) : isNotNull(table.readAt))
    if (input.search) where.push(contains(sql`${table.title} || ' ' || ${table.body}`, input.search))
    const { ids, ...page } = await pageKeys(db, input, {
      from: sql`${table}`,
      where,
      key: table.id,
      order: { column: table.date, type: 'instant', direction: 'DESC' },
    })
    return { items: await readNotifications(db, ids), unread: await unreadOf(db, staff.id), ...page }
  },

  async read({ id, read, older }, { db, staff, now, audit }) {
    const mine = eq(table.userId, staff.id)
    const [one] = await db
      .select({ date: table.date, readAt: table.readAt })
      .from(table)
      .where(and(mine, eq(table.id, id)))
    if (!one) throw notFound('notification', id)
    await db
      .update(table)
      .set({ readAt: read ? now.toISOString() : null })
      .where(
        and(
          mine,
          older ? sql`(${table.date}, ${table.id}) <= (${one.date}::timestamptz, ${id}::int)` : eq(table.id, id),
          read ? isNull(table.readAt) : isNotNull(table.readAt),
        ),
      )
    audit.of('notification', id)
    // updates the person's other tabs and browsers
    await push(db, 'changed', { domain: 'notifications', id }, [staff.id])
    const [notification] = await readNotifications(db, [id])
    if (!notification) throw notFound('notification', id)
    return notification
  },
}

const select = byIds((db, isWanted) => db.select().from(table).where(isWanted(table.id)))

async function readNotifications(db: Db, ids: number[]): Promise<Notification[]> {
  const found = await select(db, ids)
  return inOrder(ids, found).map(({ id, userId: _, ...rest }) => ({ _id: id, ...rest }))
}

const countUnread = rowsByIds<{ n: number }>(
  (isWanted) => sql`select count(*)::int as n from (select from ${table}
    where ${isWanted(table.userId)} and ${table.readAt} is null limit ${COUNTED}) as unread`,
)

async function unreadOf(db: Db, userId: number): Promise<number> {
  const [row] = await countUnread(db, [userId])
  return row?.n ?? 0
}
