import type { plans } from '@innkeeper/contract/plans'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Handlers } from '../kit/api.ts'
import { notFound } from '../kit/errors.ts'
import { inOrder, likeText, pageKeys } from '../kit/page.ts'
import { plans as table } from './tables.ts'

const sorts = {
  name: { column: table.name, type: 'text', direction: 'ASC' },
  diskMb: { column: table.diskMb, type: 'int', direction: 'ASC' },
  memoryMb: { column: table.memoryMb, type: 'int', direction: 'ASC' },
} as const

export const plansHandlers: Handlers<typeof plans> = {
  async list(input, { db }) {
    const where = [sql`${table.deletedAt} is null`]
    if (input.search) where.push(sql`lower(${table.name}) like ${likeText(input.search)}`)
    const { ids, ...page } = await pageKeys(db, input, {
      from: sql`${table}`,
      where,
      key: table.id,
      order: sorts[input.sort ?? 'diskMb'],
    })
    const found = ids.length ? await db.select().from(table).where(sql`${table.id} in ${ids}`) : []
    return { items: inOrder(ids, found), ...page }
  },

  async one({ id }, { db }) {
    const [plan] = await db
      .select()
      .from(table)
      .where(and(eq(table.id, id), isNull(table.deletedAt)))
    if (!plan) throw notFound('plan', id)
    return plan
  },
}
