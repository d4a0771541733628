import type { configs as contract } from '@innkeeper/contract/recovery/configs/calls'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { byIds } from '../../kit/db/byIds.ts'
import { contains, inOrder, pageKeys } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { configCollections, configResets, configVersions } from './tables.ts'
import { readVersions } from './versions/read.ts'

type Calls = Handlers<typeof contract>

const selectCollections = byIds((db, isWanted) =>
  db.select().from(configCollections).where(isWanted(configCollections.id)),
)
const selectResets = byIds((db, isWanted) => db.select().from(configResets).where(isWanted(configResets.id)))

export const listVersions: Calls['list'] = async (input, { db }) => {
  const where: SQL[] = []
  if (input.server) where.push(inArray(configVersions.serverId, input.server))
  if (input.service) where.push(inArray(configVersions.service, input.service))
  if (input.by) where.push(sql`${configVersions.by} && ${sql.param(input.by)}::text[]`)
  if (input.current) where.push(eq(configVersions.current, input.current === 'true'))
  if (input.search) where.push(contains(configVersions.about, input.search))
  const order = {
    collectedAt: { column: configVersions.collectedAt, type: 'instant', direction: 'DESC' },
    serverName: { column: configVersions.serverName, type: 'text', direction: 'ASC' },
  } as const
  const { ids, ...page } = await pageKeys(db, input, {
    ...{ from: sql`${configVersions}`, where, key: configVersions.id, order: order[input.sort ?? 'collectedAt'] },
  })
  return { items: await readVersions(db, ids), ...page }
}

export const listCollections: Calls['collections'] = async (input, { db }) => {
  const where: SQL[] = []
  if (input.server) where.push(inArray(configCollections.serverId, input.server))
  if (input.result) where.push(inArray(configCollections.result, input.result))
  if (input.trigger) where.push(inArray(configCollections.trigger, input.trigger))
  if (input.search)
    where.push(
      contains(sql`${configCollections.serverName} || ' ' || coalesce(${configCollections.problem}, '')`, input.search),
    )
  const order = {
    startedAt: { column: configCollections.startedAt, type: 'instant', direction: 'DESC' },
    serverName: { column: configCollections.serverName, type: 'text', direction: 'ASC' },
  } as const
  const { ids, ...page } = await pageKeys(db, input, {
    ...{ from: sql`${configCollections}`, where, key: configCollections.id, order: order[input.sort ?? 'startedAt'] },
  })
  return { items: inOrder(ids, await selectCollections(db, ids)), ...page }
}

export const listResets: Calls['logs'] = async (input, { db }) => {
  const where: SQL[] = []
  if (input.dismissed !== 'true') where.push(sql`${configResets.dismissedAt} is null`)
  if (input.server) where.push(inArray(configResets.serverId, input.server))
  if (input.status) where.push(inArray(configResets.status, input.status))
  if (input.action) where.push(inArray(configResets.action, input.action))
  if (input.search)
    where.push(
      contains(
        sql`${configResets.serverName} || ' ' || ${configResets.service} || ' ' || ${configResets.startedBy} || ' ' || coalesce(${configResets.message}, '')`,
        input.search,
      ),
    )
  const order = {
    startedAt: { column: configResets.startedAt, type: 'instant', direction: 'DESC' },
    serverName: { column: configResets.serverName, type: 'text', direction: 'ASC' },
  } as const
  const { ids, ...page } = await pageKeys(db, input, {
    ...{ from: sql`${configResets}`, where, key: configResets.id, order: order[input.sort ?? 'startedAt'] },
  })
  return { items: inOrder(ids, await selectResets(db, ids)), ...page }
}
