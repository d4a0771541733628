import type { qcSettings as contract, ScoreGrade } from '@innkeeper/contract/quality/qc/settings'
import { eq, type SQL, sql } from 'drizzle-orm'
import { byIds } from '../../../kit/db/byIds.ts'
import type { Db } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, inOrder, pageKeys } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { freeName, USES } from './names.ts'
import { qcScoreGrades } from './tables.ts'

const unique = { table: 'qc_score_grades', key: 'qc_score_grade_id', noun: 'grade' }
const sorts = {
  position: { column: qcScoreGrades.position, type: 'int', direction: 'ASC' },
  name: { column: sql`lower(${qcScoreGrades.name})`, type: 'text', direction: 'ASC' },
  createdAt: { column: qcScoreGrades.createdAt, type: 'instant', direction: 'DESC' },
} as const

type Calls = 'grades' | 'grade' | 'createGrade' | 'updateGrade'

export const gradeHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async grades(input, { db }) {
    const where: SQL[] = []
    if (input.search) where.push(contains(qcScoreGrades.name, input.search))
    if (input.isActive) where.push(sql`${qcScoreGrades.isActive} = ${input.isActive === 'true'}`)
    const source = { from: sql`${qcScoreGrades}`, where, key: qcScoreGrades.id, order: sorts[input.sort ?? 'position'] }
    const { ids, ...page } = await pageKeys(db, input, source)
    return { items: await readGrades(db, ids), ...page }
  },

  grade: ({ id }, { db }) => readGrade(db, id),

  async createGrade(fields, { db, staff, audit }) {
    await freeName(db, unique, fields.name)
    const [made] = await db
      .insert(qcScoreGrades)
      .values({ ...given(fields), createdBy: staff.id })
      .returning({ id: qcScoreGrades.id })
    const grade = await readGrade(db, made!.id) // one inserted row returns one row
    audit.after(grade)
    await changed(db, 'qc')
    return grade
  },

  async updateGrade({ id, version, ...fields }, { db, audit }) {
    await db.select({ id: qcScoreGrades.id }).from(qcScoreGrades).where(eq(qcScoreGrades.id, id)).for('update')
    const before = await readGrade(db, id)
    audit.before(before)
    checkVersion(before, version, before.name)
    if (fields.name) await freeName(db, unique, fields.name, id)
    if (fields.isActive === false && before.types)
      throw refused(`${before.name} is offered by ${before.types} score types. Take the grade out of them first.`)
    await db
      .update(qcScoreGrades)
      .set({ ...given(fields), ...nextVersion })
      .where(eq(qcScoreGrades.id, id))
    const grade = await readGrade(db, id)
    audit.after(grade)
    await changed(db, 'qc')
    return grade
  },
}

async function readGrade(db: Db, id: number): Promise<ScoreGrade> {
  const [grade] = await readGrades(db, [id])
  if (!grade) throw notFound('score grade', id)
  return grade
}

const select = byIds((db, isWanted) =>
  db
    .select({
      id: qcScoreGrades.id,
      version: qcScoreGrades.version,
      createdAt: qcScoreGrades.createdAt,
      updatedAt: qcScoreGrades.updatedAt,
      name: qcScoreGrades.name,
      description: qcScoreGrades.description,
      value: qcScoreGrades.value,
      colour: qcScoreGrades.colour,
      needsComment: qcScoreGrades.needsComment,
      position: qcScoreGrades.position,
      isActive: qcScoreGrades.isActive,
      types: sql<number>`(select count(*)::int from qc_score_types t
        where t.is_active and qc_score_grades.qc_score_grade_id = any(t.grade_ids))`,
      scores: sql<number>`(select count(*)::int from (select from qc_scores s
        where s.grade_id = qc_score_grades.qc_score_grade_id limit ${sql.raw(String(USES))}) as used)`,
    })
    .from(qcScoreGrades)
    .where(isWanted(qcScoreGrades.id)),
)
const readGrades = async (db: Db, ids: number[]): Promise<ScoreGrade[]> => inOrder(ids, await select(db, ids))
