export interface Grade {
  id: number
  name: string
  /** From 0 to 100. */
  value: number
  needsComment?: boolean
}
export interface ScoreType {
  id: number
  name: string
  hint?: string
  weight: number
  /** A grade with value 0 makes the total 0. */
  isCritical?: boolean
  mayBeNA?: boolean
  grades: readonly Grade[]
}
export const NA = 'na'
export interface Score {
  /** Id of a grade. N/A excludes the type from the total. */
  grade?: number | typeof NA
  comment: string
  /** Ids of the messages that prove the grade. */
  evidence: readonly string[]
}
/** By id of the score type. */
export type Scores = Readonly<Record<number, Score>>
export const noScore: Score = { comment: '', evidence: [] }

/** The total of a sheet. Lists contain names of score types. */
export interface Sum {
  /** Weighted mean, 0 to 100; undefined if no type counts. */
  score?: number
  /** Number of answered types, including N/A. */
  rated: number
  missing: string[]
  failed: string[]
  /** Types without the comment that their grade requires. */
  uncommented: string[]
}

/** The chosen grade, if the score type still has it. */
export const gradeOf = ({ grades }: ScoreType, { grade }: Score): Grade | undefined =>
  grades.find(({ id }) => id === grade)

const isRated = (type: ScoreType, score: Score): boolean =>
  gradeOf(type, score) !== undefined || (score.grade === NA && type.mayBeNA === true)

export const lacksComment = (type: ScoreType, score: Score): boolean =>
  gradeOf(type, score)?.needsComment === true && score.comment.trim() === ''

/** The weighted mean of all grades. Types without a grade or with N/A do not count; a critical failure makes 0. */
export function sumUp(types: readonly ScoreType[], scores: Scores): Sum {
  const rows = types.map((type) => {
    const score = scores[type.id] ?? noScore
    return { type, score, value: gradeOf(type, score)?.value }
  })
  const namesWhere = (is: (row: (typeof rows)[number]) => boolean) => rows.filter(is).map(({ type }) => type.name)
  const failed = namesWhere(({ type, value }) => type.isCritical === true && value === 0)
  const counted = rows.filter(({ type, value }) => value !== undefined && type.weight > 0)
  const weight = counted.reduce((sum, { type }) => sum + type.weight, 0)
  const mean = counted.reduce((sum, { type, value = 0 }) => sum + (type.weight * value) / weight, 0)
  const missing = namesWhere(({ type, score }) => !isRated(type, score))
  return {
    ...(failed.length > 0 ? { score: 0 } : weight > 0 && { score: mean }),
    rated: types.length - missing.length,
    missing,
    failed,
    uncommented: namesWhere(({ type, score }) => lacksComment(type, score)),
  }
}

/** The grade for a number key: 1 is the first grade, 0 is N/A. */
export function gradeByKey(type: ScoreType, key: string): Score['grade'] {
  if (!/^\d$/.test(key)) return undefined
  if (key === '0') return type.mayBeNA ? NA : undefined
  return type.grades[Number(key) - 1]?.id
}
