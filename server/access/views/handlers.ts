import type { views as contract, View } from '@innkeeper/contract/access/views'
import { and, asc, count, eq, ne, sql } from 'drizzle-orm'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { views } from './tables.ts'

/** Maximum number of saved views per person and list. */
const MOST = 50

/** Each person sees and changes only their own views; a session is enough (ANSWERS §6). */
export const viewsHandlers: Handlers<typeof contract> = {
  async list({ list }, { db, staff }) {
    const items = await db
      .select()
      .from(views)
      .where(and(eq(views.userId, staff.id), list ? eq(views.list, list) : undefined))
      .orderBy(asc(views.list), asc(views.id))
    return { items: items.map(shown), total: items.length }
  },

  async save({ list, name, filters, sort = null, direction = null }, { db, staff, audit }) {
    const [held] = await db
      .select({ n: count() })
      .from(views)
      .where(and(eq(views.userId, staff.id), eq(views.list, list), ne(views.name, name)))
    if (held && Number(held.n) >= MOST)
      throw refused(`You have ${MOST} views of this list. Delete one first.`, { name: 'You have too many views' })
    const question = { filters, sort, direction }
    const [saved] = await db
      .insert(views)
      .values({ userId: staff.id, list, name, ...question, createdBy: staff.id })
      .onConflictDoUpdate({
        target: [views.userId, views.list, views.name],
        set: { ...question, version: sql`${views.version} + 1`, updatedAt: sql`now()` },
      })
      .returning()
    if (!saved) throw new Error('a view was not saved')
    audit.of('view', saved.id)
    await changed(db, 'views')
    return shown(saved)
  },

  async remove({ id }, { db, staff, audit }) {
    audit.of('view', id)
    const [gone] = await db
      .delete(views)
      .where(and(eq(views.id, id), eq(views.userId, staff.id)))
      .returning()
    if (!gone) throw notFound('view', id)
    audit.before(gone)
    await changed(db, 'views')
  },
}

const shown = ({ id, list, name, filters, sort, direction }: typeof views.$inferSelect): View => ({
  id,
  list,
  name,
  filters,
  sort,
  direction,
})
