import type { ReviewData } from '@innkeeper/contract/quality/qc/conversations'
import type { Escalation, Review } from '@innkeeper/contract/quality/qc/shapes'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { readConversation } from '../conversations/view.ts'
import { mayChangeReview } from '../rights.ts'
import { checkTags } from '../settings/tags.ts'
import { changeReview } from './change.ts'
import { notifyAgent, notifyReviewer } from './notifyAgent.ts'
import { checkEvidence, freeze, frozenRubric } from './score.ts'
import { submit } from './submit.ts'
import { readReviews } from './view.ts'

type Given = Omit<ReviewData, 'agents'> & { agents?: number[] | undefined }

/**
 * Reviews a conversation through its escalation. Agents who have a review of the same messages already get the grades of
 * the escalation in that review, with the version before; others get a review.
 */
export async function reviewEscalated(context: Context, escalation: Escalation, given: Given): Promise<void> {
  const { db } = context
  const { agents: named = escalation.agents.map((agent) => agent.id), ...data } = given
  const { agent, reopenedSince } = await readConversation(db, escalation.conversationId)
  const agents = named.length ? named : agent ? [agent.id] : []
  const former = reopenedSince ? [] : await reviewsOf(db, escalation.conversationId, agents)
  for (const before of former) await changeFormer(context, before, data)
  const reviewed = new Set(former.map((review) => review.agent.id))
  const rest = agents.filter((id) => !reviewed.has(id))
  if (rest.length || !agents.length)
    await submit(context, escalation.kind, escalation.conversationId, { agents: rest, data })
}

/** The reviews of these agents; of an agent who was reviewed again after the conversation went on, the one of the last part. */
async function reviewsOf(db: Db, conversationId: number, agents: readonly number[]): Promise<Review[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select r.qc_review_id as id from qc_reviews r where r.conversation_id = ${conversationId} and r.deleted_at is null
      and r.agent_id = any(${sql.param([...agents])}::int[]) and not exists (select from qc_reviews o
        where o.conversation_id = r.conversation_id and o.agent_id = r.agent_id and o.deleted_at is null
          and coalesce(o.since, '-infinity') > coalesce(r.since, '-infinity')) order by 1 for update`,
  )
  return readReviews(
    db,
    found.map(({ id }) => id),
  )
}

async function changeFormer(
  context: Context,
  before: Review,
  { scores: given, tags, comment }: ReviewData,
): Promise<void> {
  const { db, staff } = context
  mayChangeReview(staff, before)
  if (tags) await checkTags(db, tags, before.kind, { had: before.tagIds })
  const scores = given && freeze(await frozenRubric(db, before), given, before.agent.id)
  if (scores) await checkEvidence(db, before.conversationId, scores)
  await changeReview(context, before, { scores, tagIds: tags, comment })
  const [after] = await readReviews(db, [before.id])
  await notifyAgent(context, 'changed', before, after)
  await notifyReviewer(context, 'changed', before)
}
