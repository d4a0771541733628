import type { qcSettings as contract, ScoreType } from '@innkeeper/contract/quality/qc/settings'
import { eq, type SQL, sql } from 'drizzle-orm'
import { byIds } from '../../../kit/db/byIds.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, inOrder, pageKeys } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { freeName, USES } from './names.ts'
import { qcScoreTypes } from './tables.ts'

const unique = { table: 'qc_score_types', key: 'qc_score_type_id', noun: 'score type' }
const sorts = {
  position: { column: qcScoreTypes.position, type: 'int', direction: 'ASC' },
  name: { column: sql`lower(${qcScoreTypes.name})`, type: 'text', direction: 'ASC' },
  createdAt: { column: qcScoreTypes.createdAt, type: 'instant', direction: 'DESC' },
} as const

type Calls = 'types' | 'type' | 'createType' | 'updateType'

export const typeHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async types(input, { db }) {
    const where: SQL[] = []
    if (input.search) where.push(contains(qcScoreTypes.name, input.search))
    if (input.isActive) where.push(sql`${qcScoreTypes.isActive} = ${input.isActive === 'true'}`)
    const source = { from: sql`${qcScoreTypes}`, where, key: qcScoreTypes.id, order: sorts[input.sort ?? 'position'] }
    const { ids, ...page } = await pageKeys(db, input, source)
    return { items: await readTypes(db, ids), ...page }
  },

  type: ({ id }, { db }) => readType(db, id),

  async createType(fields, { db, staff, audit }) {
    await freeName(db, unique, fields.name)
    await checkGrades(db, fields.gradeIds)
    checkWeight(fields.weight, fields.isCritical ?? false)
    const [made] = await db
      .insert(qcScoreTypes)
      .values({ ...given(fields), createdBy: staff.id })
      .returning({ id: qcScoreTypes.id })
    const type = await readType(db, made!.id) // one inserted row returns one row
    audit.after(type)
    await changed(db, 'qc')
    return type
  },

  async updateType({ id, version, ...fields }, { db, audit }) {
    await db.select({ id: qcScoreTypes.id }).from(qcScoreTypes).where(eq(qcScoreTypes.id, id)).for('update')
    const before = await readType(db, id)
    audit.before(before)
    checkVersion(before, version, before.name)
    if (fields.name) await freeName(db, unique, fields.name, id)
    if (fields.gradeIds) await checkGrades(db, fields.gradeIds)
    checkWeight(fields.weight ?? before.weight, fields.isCritical ?? before.isCritical)
    await db
      .update(qcScoreTypes)
      .set({ ...given(fields), ...nextVersion })
      .where(eq(qcScoreTypes.id, id))
    const type = await readType(db, id)
    audit.after(type)
    await changed(db, 'qc')
    return type
  },
}

function checkWeight(weight: number, isCritical: boolean): void {
  if (weight === 0 && !isCritical)
    throw refused('A score type with the weight 0 has no effect', {
      weight: 'Only a critical type may have the weight 0',
    })
}

async function checkGrades(db: Db, ids: readonly number[]): Promise<void> {
  if (new Set(ids).size < ids.length)
    throw refused('A grade is named twice', { gradeIds: 'A grade is offered only once' })
  const found = await rows<{ id: number }>(
    db,
    sql`select qc_score_grade_id as id from qc_score_grades where qc_score_grade_id = any(${sql.param([...ids])}::int[]) and is_active for share`,
  )
  const gone = ids.find((id) => !found.some((grade) => grade.id === id))
  if (gone !== undefined)
    throw refused(`Grade ${gone} cannot be used`, { gradeIds: `Grade ${gone} does not exist or is not in use` })
}

async function readType(db: Db, id: number): Promise<ScoreType> {
  const [type] = await readTypes(db, [id])
  if (!type) throw notFound('score type', id)
  return type
}

const select = byIds((db, isWanted) =>
  db
    .select({
      id: qcScoreTypes.id,
      version: qcScoreTypes.version,
      createdAt: qcScoreTypes.createdAt,
      updatedAt: qcScoreTypes.updatedAt,
      name: qcScoreTypes.name,
      description: qcScoreTypes.description,
      weight: qcScoreTypes.weight,
      isCritical: qcScoreTypes.isCritical,
      mayBeNA: qcScoreTypes.mayBeNA,
      usedFor: qcScoreTypes.usedFor,
      position: qcScoreTypes.position,
      isActive: qcScoreTypes.isActive,
      gradeIds: qcScoreTypes.gradeIds,
      scores: sql<number>`(select count(*)::int from (select from qc_scores s
        where s.type_id = qc_score_types.qc_score_type_id limit ${sql.raw(String(USES))}) as used)`,
    })
    .from(qcScoreTypes)
    .where(isWanted(qcScoreTypes.id)),
)
const readTypes = async (db: Db, ids: number[]): Promise<ScoreType[]> => inOrder(ids, await select(db, ids))
