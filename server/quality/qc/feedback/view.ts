import type { Feedback } from '@innkeeper/contract/quality/qc/shapes'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { personOf } from '../../../kit/db/people.ts'
import { reachedOf } from '../reach.ts'
import { type Reading, withoutUnread } from '../rights.ts'

/** Proposed grades, with the grade that the review has now. */
const proposedScores = sql`(select coalesce(jsonb_agg(one || jsonb_build_object('presentName', (select s.grade_name from qc_scores s
    where s.review_id = f.review_id and s.type_id = (one->>'typeId')::int)) order by n), '[]')
  from jsonb_array_elements(f.proposes->'scores') with ordinality as p(one, n))`

const select = rowsByIds<Feedback>(
  (
    isWanted,
  ) => sql`select f.qc_feedback_id as id, f.version, f.created_at as "createdAt", f.updated_at as "updatedAt", f.kind,
    f.conversation_id as "conversationId", c.external_id as "externalId", c.subject, f.review_id as "reviewId",
    ${personOf('f.agent_id')} as agent, f.type, f.origin, f.content, f.status, f.outcome, f.answer,
    case when f.proposes is not null then jsonb_build_object('agent', ${personOf("(f.proposes->>'agentId')::int")}, 'scores', ${proposedScores}) end as proposes, f.due_at as "dueAt",
    ${personOf('f.created_by')} as "createdBy", f.answered_at as "answeredAt", ${personOf('f.answered_by')} as "answeredBy"
  from qc_feedbacks f join qc_conversations c on c.qc_conversation_id = f.conversation_id
  where ${isWanted(sql`f.qc_feedback_id`)}`,
)

/** Feedback that the reader reaches. What they wrote, and what is about them, they reach whatever department they review. */
export async function readFeedbacks(reading: Reading, ids: number[]): Promise<Feedback[]> {
  const found = inOrder(ids, await select(reading.db, ids))
  const others = found.filter(({ createdBy, agent }) => ![createdBy.id, agent?.id].includes(reading.staff.id))
  const hidden = new Set(others)
  for (const one of await reachedOf(reading, others)) hidden.delete(one)
  return withoutUnread(
    reading.staff,
    found.filter((one) => !hidden.has(one)),
  ).map((row) => withInstants(row, ['createdAt', 'updatedAt', 'dueAt', 'answeredAt']))
}
