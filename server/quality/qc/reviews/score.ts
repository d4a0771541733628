import type { ReviewData } from '@innkeeper/contract/quality/qc/conversations'
import type { Review } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'

interface Grade {
  id: number
  name: string
  value: number
  needsComment: boolean
}
interface Type {
  id: number
  name: string
  weight: number
  isCritical: boolean
  mayBeNA: boolean
  grades: Grade[]
}

/** A score with the names and values that are frozen into the review. */
export interface FrozenScore {
  typeId: number
  typeName: string
  weight: number
  isCritical: boolean
  gradeId: number | null
  gradeName: string | null
  value: number | null
  comment: string
  evidence: number[]
  position: number
}

const gradesOfType = sql`(select coalesce(json_agg(json_build_object('id', g.qc_score_grade_id, 'name', g.name, 'value', g.value,
    'needsComment', g.needs_comment) order by array_position(t.grade_ids, g.qc_score_grade_id)), '[]'::json)
  from qc_score_grades g where g.qc_score_grade_id = any(t.grade_ids))`

/** Score types in use for a kind, with their grades in the order of the type. */
export const readRubric = (db: Db, kind: Kind): Promise<Type[]> =>
  rows<Type>(
    db,
    sql`select t.qc_score_type_id as id, t.name, t.weight, t.is_critical as "isCritical", t.may_be_na as "mayBeNA",
      ${gradesOfType} as grades
    from qc_score_types t where t.is_active and t.used_for in ('all', ${kind}) order by t.position, t.qc_score_type_id`,
  )

/**
 * The rubric for editing a submitted review: its score types with the weights at that time, and their present grades. A
 * grade that the review uses keeps its former value.
 */
export async function frozenRubric(db: Db, { scores }: Pick<Review, 'scores'>): Promise<Type[]> {
  const ids = scores.map(({ typeId }) => typeId)
  const today = await rows<Pick<Type, 'id' | 'mayBeNA' | 'grades'>>(
    db,
    sql`select t.qc_score_type_id as id, t.may_be_na as "mayBeNA", ${gradesOfType} as grades
      from qc_score_types t where t.qc_score_type_id = any(${sql.param(ids)}::int[])`,
  )
  return scores.map(({ typeId: id, typeName: name, weight, isCritical, gradeId, gradeName, value }) => {
    const { mayBeNA = true, grades = [] } = today.find((type) => type.id === id) ?? {}
    const kept = { id: gradeId ?? 0, name: gradeName ?? '', value: value ?? 0, needsComment: false }
    const isGone = gradeId !== null && !grades.some((grade) => grade.id === gradeId)
    return {
      ...{ id, name, weight, isCritical, mayBeNA: mayBeNA || gradeId === null },
      grades: [...(isGone ? [kept] : []), ...grades.map((grade) => (grade.id === gradeId ? kept : grade))],
    }
  })
}

const FIELD = 'data.scores'

/** Freezes the scores of one agent. Throws a 422 for a missing or removed grade or type, and for a missing comment. */
export function freeze(
  rubric: readonly Type[],
  given: NonNullable<ReviewData['scores']>,
  agentId: number,
): FrozenScore[] {
  const unknown = given.find(({ scoreTypeId }) => !rubric.some(({ id }) => id === scoreTypeId))
  if (unknown)
    throw refused('A score type is not in use', { [FIELD]: `Score type ${unknown.scoreTypeId} is not in use` })
  return rubric.map((type, position) => {
    const of = given.filter(({ scoreTypeId }) => scoreTypeId === type.id)
    const score = of.find((one) => one.agentId === agentId) ?? of.find((one) => one.agentId === undefined)
    if (of.filter((one) => one.agentId === score?.agentId).length > 1)
      throw refused(`${type.name} has two grades`, { [FIELD]: `${type.name} is graded twice` })
    if (score?.gradeId === undefined)
      throw refused(`${type.name} has no grade`, { [FIELD]: `${type.name} has no grade` })
    if (score.gradeId === null && !type.mayBeNA)
      throw refused(`${type.name} needs a grade`, { [FIELD]: `${type.name} may not be N/A` })
    const grade = type.grades.find(({ id }) => id === score.gradeId)
    if (score.gradeId !== null && !grade)
      throw refused(`A grade of ${type.name} is gone`, {
        [FIELD]: `${type.name} does not offer grade ${score.gradeId}`,
      })
    if (grade?.needsComment && !score.comment)
      throw refused(`${type.name} needs a comment`, { [FIELD]: `${grade.name} for ${type.name} needs a comment` })
    return {
      ...{ typeId: type.id, typeName: type.name, weight: type.weight, isCritical: type.isCritical, position },
      ...{ gradeId: grade?.id ?? null, gradeName: grade?.name ?? null, value: grade?.value ?? null },
      ...{ comment: score.comment ?? '', evidence: [...new Set(score.evidence ?? [])] },
    }
  })
}

/** The weighted mean without N/A scores; null if all are N/A. A critical type graded 0 makes the whole score 0. */
export function sumUp(scores: readonly FrozenScore[]): { score: number | null; isFailed: boolean } {
  if (scores.some(({ isCritical, value }) => isCritical && value === 0)) return { score: 0, isFailed: true }
  const counted = scores.flatMap(({ value, weight }) => (value !== null && weight > 0 ? [{ value, weight }] : []))
  const weight = counted.reduce((sum, one) => sum + one.weight, 0)
  const total = counted.reduce((sum, one) => sum + one.weight * one.value, 0)
  return { score: weight ? total / weight : null, isFailed: false }
}

/** Throws a 422 for evidence that is not a message of the conversation. */
export async function checkEvidence(db: Db, conversationId: number, scores: readonly { evidence: number[] }[]) {
  const ids = [...new Set(scores.flatMap(({ evidence }) => evidence))]
  if (!ids.length) return
  const found = await rows<{ id: number }>(
    db,
    sql`select qc_message_id as id from qc_messages
      where qc_message_id = any(${sql.param(ids)}::int[]) and conversation_id = ${conversationId}`,
  )
  const known = new Set(found.map(({ id }) => id))
  const gone = ids.find((id) => !known.has(id))
  if (gone !== undefined)
    throw refused('A message of the evidence is missing', { [FIELD]: `Message ${gone} is not in this conversation` })
}
