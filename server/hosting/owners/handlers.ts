import type { Owner, owners } from '@innkeeper/contract/hosting/owners'
import { sql } from 'drizzle-orm'
import { byIds, isAmong } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { writing } from '../../kit/db/driver/prepared.ts'
import { contains, inOrder, pageKeys } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { owners as table } from './tables.ts'

const sorts = {
  name: { column: table.name, type: 'text', direction: 'ASC' },
  email: { column: table.email, type: 'text', direction: 'ASC' },
  createdAt: { column: table.createdAt, type: 'instant', direction: 'DESC' },
} as const

export const ownersHandlers: Handlers<typeof owners> = {
  async list(input, { db }) {
    const where = [sql`${table.deletedAt} is null`]
    if (input.ids) where.push(isAmong(table.id, input.ids))
    if (input.search) where.push(contains(sql`${table.name} || ' ' || ${table.email}`, input.search))
    const { ids, ...page } = await pageKeys(db, input, {
      from: sql`${table}`,
      where,
      key: table.id,
      order: sorts[input.sort ?? 'name'],
    })
    return { items: await readOwners(db, ids), ...page }
  },

  async create(input, { db, staff, audit }) {
    const { externalId = null } = input
    const [row] = await insert(db).execute({ ...input, externalId, createdBy: staff.id })
    const [owner] = row ? await readOwners(db, [row.id]) : []
    if (!owner) throw notFound('owner')
    audit.of('owner', owner.id)
    audit.after(owner)
    await changed(db, 'owners', owner.id)
    return owner
  },
}

const insert = writing((db) =>
  db
    .insert(table)
    .values({
      name: sql.placeholder('name'),
      email: sql.placeholder('email'),
      externalId: sql.placeholder('externalId'),
      createdBy: sql.placeholder('createdBy'),
    })
    .returning({ id: table.id })
    .prepare('insert_owner'),
)

const select = byIds((db, isWanted) =>
  db
    .select({
      id: table.id,
      version: table.version,
      createdAt: table.createdAt,
      updatedAt: table.updatedAt,
      name: table.name,
      email: table.email,
      externalId: table.externalId,
      websites: sql<number>`(select count(*)::int from websites w where w.owner_id = owners.owner_id and w.deleted_at is null)`,
    })
    .from(table)
    .where(isWanted(table.id)),
)

const readOwners = async (db: Db, ids: number[]): Promise<Owner[]> => inOrder(ids, await select(db, ids))
