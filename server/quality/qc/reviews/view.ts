import type { Review } from '@innkeeper/contract/quality/qc/shapes'
import { type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { personOf } from '../../../kit/db/people.ts'

const reading = (state: SQL) =>
  rowsByIds<Review>(
    (isWanted) => sql`select r.qc_review_id as id, r.version, r.created_at as "createdAt", r.updated_at as "updatedAt",
    r.conversation_id as "conversationId", r.kind, ${personOf('r.agent_id')} as agent, ${personOf('r.reviewer_id')} as reviewer,
    r.population, r.since, r.agent_reason as "agentReason", r.score, r.is_failed as "isFailed", r.comment, r.tag_ids as "tagIds", r.submitted_at as "submittedAt",
    r.stats_sent_at as "statsSentAt", r.deleted_at as "deletedAt",
    (select count(*)::int from qc_review_edits e where e.review_id = r.qc_review_id) as edits,
    (select coalesce(json_agg(json_build_object('typeId', s.type_id, 'typeName', s.type_name, 'weight', s.weight,
        'isCritical', s.is_critical, 'gradeId', s.grade_id, 'gradeName', s.grade_name, 'value', s.value, 'comment', s.comment,
        'evidence', s.evidence) order by s.position, s.type_id), '[]'::json)
      from qc_scores s where s.review_id = r.qc_review_id) as scores
  from qc_reviews r where ${isWanted(sql`r.qc_review_id`)} and ${state}`,
  )
const live = reading(sql`r.deleted_at is null`)
const deleted = reading(sql`r.deleted_at is not null`)

const read = async (select: typeof live, db: Db, ids: number[]): Promise<Review[]> =>
  inOrder(ids, await select(db, ids)).map((row) =>
    withInstants(row, ['createdAt', 'updatedAt', 'submittedAt', 'statsSentAt', 'deletedAt', 'since']),
  )

/** Reviews that are not deleted. */
export const readReviews = (db: Db, ids: number[]) => read(live, db, ids)
export const readDeletedReviews = (db: Db, ids: number[]) => read(deleted, db, ids)
