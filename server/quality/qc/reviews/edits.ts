import type { Review, ReviewEdit } from '@innkeeper/contract/quality/qc/shapes'
import { sql } from 'drizzle-orm'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personOf } from '../../../kit/db/people.ts'

type Written = Pick<Review, 'scores' | 'comment' | 'tagIds' | 'score' | 'agent'>
interface Row {
  id: number
  at: string | Date
  by: ReviewEdit['by'] | null
  before: Written
}

const gradeText = ({ gradeName, value }: Review['scores'][number]) => (value === null ? 'N/A' : `${gradeName} ${value}`)

/** Fields of a review as text, by label. */
function wordsOf(
  { scores, comment, tagIds, score, agent }: Written,
  tags: ReadonlyMap<number, string>,
): Map<string, string> {
  const fields: [string, string][] = scores.flatMap((one) => [
    [one.typeName, gradeText(one)],
    [`${one.typeName}, comment`, one.comment],
    [
      `${one.typeName}, evidence`,
      one.evidence.length ? `${one.evidence.length} messages: ${one.evidence.join(', ')}` : '',
    ],
  ])
  return new Map([
    ['Agent', agent.name],
    ['Score', score === null ? 'none' : score.toFixed(1)],
    ...fields,
    ['Comment', comment],
    ['Tags', tagIds.map((id) => tags.get(id) ?? `tag ${id}`).join(', ')],
  ])
}

/** The changes of a submitted review, the latest first. */
export async function editsOf(db: Db, review: Review): Promise<ReviewEdit[]> {
  const found = await rows<Row>(
    db,
    sql`select e.qc_review_edit_id as id, e.at, ${personOf('e.by')} as by, e.before
      from qc_review_edits e where e.review_id = ${review.id} order by e.qc_review_edit_id`,
  )
  if (!found.length) return []
  const named = await rows<{ id: number; name: string }>(db, sql`select qc_tag_id as id, name from qc_tags`)
  const tags = new Map(named.map(({ id, name }) => [id, name]))
  const states = [...found.map(({ before }) => before), review].map((state) => wordsOf(state, tags))
  return found
    .map(({ id, at, by }, n) => {
      const [was, is] = [states[n] ?? new Map<string, string>(), states[n + 1] ?? new Map<string, string>()]
      const changes = [...new Set([...was.keys(), ...is.keys()])]
        .map((field) => ({ field, before: was.get(field) || null, after: is.get(field) || null }))
        .filter(({ before, after }) => before !== after)
      return { id, at: isoOf(at), by: by ?? { id: 0, name: 'Somebody who was removed' }, changes }
    })
    .reverse()
}
