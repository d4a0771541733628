import type { adoptions as contract } from '@innkeeper/contract/recovery/adoptions/calls'
import { inArray, type SQL, sql } from 'drizzle-orm'
import { pageKeys } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { adoptions } from './tables.ts'
import { readAdoptions } from './view.ts'

const order = { column: adoptions.createdAt, type: 'instant', direction: 'DESC' } as const

export const listAdoptions: Handlers<typeof contract>['list'] = async (input, { db }) => {
  const where: SQL[] = []
  if (input.status) where.push(inArray(adoptions.status, input.status))
  if (input.server) where.push(inArray(adoptions.serverId, input.server))
  const { ids, ...page } = await pageKeys(db, input, { from: sql`${adoptions}`, where, key: adoptions.id, order })
  return { items: await readAdoptions(db, ids), ...page }
}
