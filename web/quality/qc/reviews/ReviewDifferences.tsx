import type { Review, ReviewEdit } from '@innkeeper/contract/quality/qc/shapes'
import { Text } from '@mantine/core'
import { type Scores, type ScoreType, sumUp } from '../../../kit/score/scores.ts'
import { scoreText } from '../words.ts'

/** The changed scores of a review, each with its former and present value. */
export function Differences({ changes }: Pick<ReviewEdit, 'changes'>) {
  if (!changes.length) return <Text c="dimmed">Nothing differs.</Text>
  return changes.map(({ field, before, after }) => (
    <Text key={field} dir="auto">
      {field}:{' '}
      <Text span td="line-through" c="dimmed">
        {before ?? 'nothing'}
      </Text>{' '}
      → {after ?? 'nothing'}
    </Text>
  ))
}

const counted = (evidence: readonly unknown[]) => (evidence.length ? `${evidence.length} messages` : '')

/** What differs between a review and the form, in the words of the list of changes. */
export function differencesOf(review: Review, rubric: readonly ScoreType[], scores: Scores, comment: string) {
  const after = sumUp(rubric, scores).score
  const changes = [{ field: 'Score', before: scoreText(review.score), after: scoreText(after ?? null) }]
  for (const was of review.scores) {
    const is = scores[was.typeId]
    const grade = rubric.find(({ id }) => id === was.typeId)?.grades.find(({ id }) => id === is?.grade)
    const before = was.value === null ? 'N/A' : `${was.gradeName} ${was.value}`
    changes.push(
      { field: was.typeName, before, after: grade ? `${grade.name} ${grade.value}` : 'N/A' },
      { field: `${was.typeName}, comment`, before: was.comment, after: is?.comment ?? '' },
      { field: `${was.typeName}, evidence`, before: counted(was.evidence), after: counted(is?.evidence ?? []) },
    )
  }
  changes.push({ field: 'Comment', before: review.comment, after: comment })
  return changes
    .filter(({ before, after: now }) => before !== now)
    .map(({ field, before, after: now }) => ({ field, before: before || null, after: now || null }))
}
