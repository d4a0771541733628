import type { archiveImports as contract } from '@innkeeper/contract/recovery/archiveImports/calls'
import { inArray, type SQL, sql } from 'drizzle-orm'
import { contains, pageKeys } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { archiveImports } from './tables.ts'
import { readImports } from './view.ts'

const sorts = {
  createdAt: { column: archiveImports.createdAt, type: 'instant', direction: 'DESC' },
  fileName: { column: archiveImports.fileName, type: 'text', direction: 'ASC' },
} as const

export const listImports: Handlers<typeof contract>['list'] = async (input, { db }) => {
  const where: SQL[] = []
  if (input.server) where.push(inArray(archiveImports.serverId, input.server))
  if (input.status) where.push(inArray(archiveImports.status, input.status))
  if (input.search) where.push(contains(archiveImports.fileName, input.search))
  const order = sorts[input.sort ?? 'createdAt']
  const { ids, ...page } = await pageKeys(db, input, {
    from: sql`${archiveImports}`,
    where,
    key: archiveImports.id,
    order,
  })
  return { items: await readImports(db, ids), ...page }
}
