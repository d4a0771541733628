import type { ReviewData, reviewFields } from '@innkeeper/contract/quality/qc/conversations'
import type { Conversation } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { and, eq, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { departmentOn } from '../../../access/users/departmentOn.ts'
import { checkPeople } from '../../../access/users/exist.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { checkFree, holdConversation, refuseErased } from '../conversations/queue.ts'
import { checkReach } from '../reach.ts'
import { checkMayRead } from '../rights.ts'
import { readQueueSettings } from '../settings/queue.ts'
import { checkTags } from '../settings/tags.ts'
import { unpackDays } from '../statistics/days.ts'
import { nextFor, takeNext } from './next.ts'
import { checkEvidence, freeze, readRubric, sumUp } from './score.ts'
import { sendStats } from './sendStats.ts'
import { qcDrafts, qcReviews, qcScores } from './tables.ts'
import { readReviews } from './view.ts'

export type ReviewInput = z.output<z.ZodObject<typeof reviewFields>>

/** Submits a review for each agent, or saves the draft and postpones the review. */
export async function submit(context: Context, kind: Kind, id: number, input: ReviewInput) {
  const { db, staff, audit } = context
  audit.of(kind, id)
  await holdConversation(db, id, kind)
  checkMayRead(staff, kind)
  await checkReach(context, id)
  const conversation = await checkFree(db, id, staff.id)
  if (conversation.status === 'cleared')
    throw conflict(`The ${kind} was cleared from the queue. Put it back first.`, { current: conversation })
  if (conversation.mergedInto || conversation.goneAt) throw refused(`The ${kind} is merged or deleted in its source`)
  refuseErased(conversation)
  const { data = {} } = input
  if (input.reviewLater) await postpone(context, conversation, data, input.reviewLater)
  const made = input.reviewLater ? [] : await writeReviews(context, conversation, input, data)
  const nextId = await (input.takeNext ? takeNext : nextFor)(context, kind, id)
  await changed(db, 'qc', id)
  return { reviews: await readReviews(db, made), nextId }
}

/** Returns the ids of the reviews: those of an earlier part of the conversation are not among them. */
async function writeReviews(
  context: Context,
  conversation: Conversation,
  input: ReviewInput,
  data: ReviewData,
): Promise<number[]> {
  const { db, staff, audit } = context
  const { id, kind, externalId } = conversation
  const agents = [...new Set(input.agents?.length ? input.agents : conversation.agent ? [conversation.agent.id] : [])]
  if (!agents.length) throw refused('Nobody is reviewed', { agents: 'Name the agent whom the review is about' })
  await checkPeople(db, agents, 'agents')
  if (agents.includes(staff.id)) throw refused('Nobody reviews themselves', { agents: 'You are one of the agents' })
  const writers = new Set(conversation.agents.map((agent) => agent.id))
  const outsiders = agents.filter((agent) => !writers.has(agent))
  if (outsiders.length && !data.agentReason)
    throw refused('Somebody of the agents did not write here', {
      'data.agentReason': `User ${outsiders[0]} did not write in the ${kind}. Say why they are graded`,
    })
  const stranger = data.scores?.find(({ agentId }) => agentId !== undefined && !agents.includes(agentId))?.agentId
  if (stranger !== undefined)
    throw refused('A score is of nobody here', { 'data.scores': `User ${stranger} is not reviewed` })
  const tags = [...new Set(data.tags ?? [])]
  await checkTags(db, tags, kind, { had: await keptTags(db, conversation, staff.id) })
  const rubric = await readRubric(db, kind)
  if (!rubric.length) throw refused('No score type is in use. A manager creates them in the settings.')
  const sets = agents.map((agentId) => ({ agentId, scores: freeze(rubric, data.scores ?? [], agentId) }))
  await checkEvidence(
    db,
    id,
    sets.flatMap(({ scores }) => scores),
  )
  const taken = await rows(
    db,
    sql`select from qc_reviews where conversation_id = ${id} and agent_id = any(${sql.param(agents)}::int[]) and deleted_at is null
      and since is not distinct from ${conversation.reopenedSince}::timestamptz`,
  )
  if (taken.length) throw conflict(`The ${kind} is already reviewed`, { current: conversation })
  const made = await db
    .insert(qcReviews)
    .values(
      sets.map(({ agentId, scores }) => ({
        ...{ conversationId: id, kind, agentId, reviewerId: staff.id, createdBy: staff.id },
        ...sumUp(scores),
        ...{ since: conversation.reopenedSince, agentReason: writers.has(agentId) ? '' : (data.agentReason ?? '') },
        departmentId: departmentOn(sql`${agentId}::int`, sql`${conversation.lastAt}::timestamptz`),
        ...{ population: conversation.queuedBy ?? ('manual' as const), comment: data.comment ?? '', tagIds: tags },
        submittedAt: sql`now()`,
      })),
    )
    .returning({ id: qcReviews.id, agentId: qcReviews.agentId, at: qcReviews.submittedAt })
  await db
    .insert(qcScores)
    .values(
      made.flatMap(({ id: reviewId, agentId }) =>
        (sets.find((set) => set.agentId === agentId)?.scores ?? []).map((score) => ({ ...score, reviewId })),
      ),
    )
  await db.delete(qcDrafts).where(and(eq(qcDrafts.conversationId, id), eq(qcDrafts.reviewerId, staff.id)))
  await unpackDays(
    db,
    made.map(({ at }) => at),
  )
  await db.execute(sql`update qc_conversations set reopened_since = null where qc_conversation_id = ${id}`)
  await settle(db, id)
  const ids = made.map(({ id: reviewId }) => reviewId)
  if (input.sendStats) await sendStats(db, ids)
  audit.after({ kind, externalId, conversationId: id, reviews: ids, agents })
  return ids
}

/** Tags of the conversation and of the reviewer's draft: one that is deleted meanwhile does not block the review. */
async function keptTags(db: Db, { id, tags }: Conversation, reviewerId: number): Promise<number[]> {
  const drafted = await rows<{ id: number }>(
    db,
    sql`select t.qc_tag_id as id from qc_drafts d join qc_tags t on d.content->'tags' @> to_jsonb(t.qc_tag_id)
      where d.conversation_id = ${id} and d.reviewer_id = ${reviewerId}`,
  )
  return [...tags, ...drafted].map((tag) => tag.id)
}

/**
 * Sets status and score of a conversation from its reviews that are not deleted. Without a review, the status returns
 * to `cleared` if merged or deleted, to `queued` if it was queued before, else to `imported`. A conversation that was
 * reopened and queued again stays queued until somebody has reviewed the part since.
 */
export async function settle(db: Db, id: number): Promise<void> {
  await db.execute(sql`update qc_conversations set
      status = case when status = 'queued' and reopened_since is not null then 'queued' when r.n > 0 then 'reviewed' when status <> 'reviewed' then status
        when merged_into is not null or gone_at is not null then 'cleared' when queued_at is null then 'imported' else 'queued' end,
      score = r.score, reviewed_at = r.at, reviewed_by = r.by, holder_id = null, holds_until = null, assignee_id = null,
      assign_reason = null, postponed_by = null, postponed_until = null, version = version + 1, updated_at = now()
    from (select count(*)::int as n, avg(score) as score, max(submitted_at) as at,
        (array_agg(reviewer_id order by submitted_at desc))[1] as by
      from qc_reviews where conversation_id = ${id} and deleted_at is null) as r
    where qc_conversation_id = ${id}`)
}

async function postpone(
  { db, staff, now, audit }: Context,
  { id, kind, externalId }: Conversation,
  data: ReviewData,
  until: string | true,
) {
  const { postponeDays } = await readQueueSettings(db, kind)
  const at = until === true ? new Date(now.getTime() + postponeDays * 86_400_000) : new Date(until)
  if (at <= now) throw refused('The time is in the past', { reviewLater: 'Choose a time in the future' })
  await saveDraft(db, id, staff.id, data)
  await db.execute(sql`update qc_conversations set postponed_by = ${staff.id}, postponed_until = ${at.toISOString()}::timestamptz,
      holder_id = null, holds_until = null, version = version + 1, updated_at = now() where qc_conversation_id = ${id}`)
  audit.action('postpone')
  audit.after({ kind, externalId, conversationId: id, postponedUntil: isoOf(at) })
}

/** Saves an unfinished review in the form that the review screen reads. */
export async function saveDraft(db: Db, conversationId: number, reviewerId: number, data: ReviewData): Promise<void> {
  const content = {
    scores: (data.scores ?? []).map(({ comment = '', evidence = [], ...score }) => ({ ...score, comment, evidence })),
    tags: data.tags ?? [],
    comment: data.comment ?? '',
    ...(data.agentReason && { agentReason: data.agentReason }),
    ...(data.agents && { agents: data.agents }),
  }
  await db
    .insert(qcDrafts)
    .values({ conversationId, reviewerId, content })
    .onConflictDoUpdate({
      target: [qcDrafts.conversationId, qcDrafts.reviewerId],
      set: { content, savedAt: sql`now()` },
    })
}
