import type { dossiers as contract } from '@innkeeper/contract/quality/dossiers/calls'
import type { Position } from '@innkeeper/contract/quality/dossiers/shapes'
import { eq, type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import type { Db } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { nameOrder } from '../../../kit/db/nameOrder.ts'
import { contains, inOrder, pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { freeName } from '../../qc/settings/names.ts'
import { arranging, checkAbove, checkLive, replacement, USES } from '../names.ts'
import { dossierPositions } from './tables.ts'

type Calls = 'positions' | 'position' | 'createPosition' | 'updatePosition' | 'removePosition'
const unique = {
  ...{ table: 'dossier_positions', key: 'dossier_position_id', noun: 'position' },
  live: sql`deleted_at is null`,
}
const sorts = {
  level: { column: dossierPositions.level, type: 'int', direction: 'ASC' },
  name: { column: nameOrder(sql`lower(${dossierPositions.name})`), type: 'text', direction: 'ASC' },
  createdAt: { column: dossierPositions.createdAt, type: 'instant', direction: 'DESC' },
} as const

export const positionHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async positions(input, { db }) {
    const where: SQL[] = [sql`${dossierPositions.deletedAt} is null`]
    if (input.search) where.push(contains(dossierPositions.name, input.search))
    const order = sorts[input.sort ?? 'level']
    const { ids, ...page } = await pageKeys(db, input, {
      ...{ from: sql`${dossierPositions}`, where, key: dossierPositions.id, order },
    })
    return { items: await readPositions(db, ids), ...page }
  },

  position: ({ id }, { db }) => readPosition(db, id),

  async createPosition(fields, { db, staff, audit }) {
    await freeName(db, unique, fields.name)
    await checkLive(db, 'position', fields.positionId, 'positionId')
    const [made] = await db
      .insert(dossierPositions)
      .values({ ...given(fields), createdBy: staff.id })
      .returning({ id: dossierPositions.id })
    const position = await readPosition(db, made!.id) // one inserted row returns one row
    audit.after(position)
    await changed(db, 'dossiers')
    return position
  },

  async updatePosition({ id, version, ...fields }, context) {
    const { db, audit } = context
    await arranging(db)
    await hold(context, id, version)
    if (fields.name) await freeName(db, unique, fields.name, id)
    await checkLive(db, 'position', fields.positionId, 'positionId')
    await checkAbove(db, 'position', id, fields.positionId)
    await db
      .update(dossierPositions)
      .set({ ...given(fields), ...nextVersion })
      .where(eq(dossierPositions.id, id))
    const position = await readPosition(db, id)
    audit.after(position)
    await changed(db, 'dossiers')
    return position
  },

  async removePosition({ id, version, replacementId }, context) {
    const { db, audit } = context
    await arranging(db)
    const { name, uses, positionId: above } = await hold(context, id, version)
    const isThere = sql`exists (select from dossier_positions where dossier_position_id = ${replacementId ?? null} and deleted_at is null)`
    const heir = await replacement(db, { noun: 'position', name, id, uses, isThere }, replacementId)
    if (heir)
      await db.execute(sql`update dossier_memberships set position_id = ${heir}, version = version + 1, updated_at = now()
        where position_id = ${id} and deleted_at is null`)
    // positions below move up by one
    await db.execute(
      sql`update dossier_positions set position_id = ${above}, version = version + 1 where position_id = ${id}`,
    )
    await db
      .update(dossierPositions)
      .set({ deletedAt: sql`now()`, ...nextVersion })
      .where(eq(dossierPositions.id, id))
    audit.after({ replacementId: heir ?? null })
    await changed(db, 'dossiers')
  },
}

async function hold({ db, audit }: Context, id: number, version: number | undefined): Promise<Position> {
  await rows(db, id)
  const position = await readPosition(db, id)
  audit.before(position)
  checkVersion(position, version, position.name)
  return position
}
const rows = (db: Db, id: number) =>
  db.select({ id: dossierPositions.id }).from(dossierPositions).where(eq(dossierPositions.id, id)).for('update')

const select = rowsByIds<Position>(
  (
    isWanted,
  ) => sql`select p.dossier_position_id as id, p.version, p.created_at as "createdAt", p.updated_at as "updatedAt", p.name,
      p.description, p.level, a.dossier_position_id as "positionId", a.name as "positionName",
      (select count(*)::int from (select from dossier_memberships m where m.position_id = p.dossier_position_id
        and m.deleted_at is null limit ${sql.raw(String(USES))}) as used) as uses
    from dossier_positions p left join dossier_positions a on a.dossier_position_id = p.position_id and a.deleted_at is null
    where ${isWanted(sql`p.dossier_position_id`)} and p.deleted_at is null`,
)
const readPositions = async (db: Db, ids: number[]): Promise<Position[]> =>
  inOrder(ids, await select(db, ids)).map((row) => withInstants(row, ['createdAt', 'updatedAt']))

async function readPosition(db: Db, id: number): Promise<Position> {
  const [position] = await readPositions(db, [id])
  if (!position) throw notFound('position', id)
  return position
}
