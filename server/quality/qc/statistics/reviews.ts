import { holds } from '@innkeeper/contract/kit/access'
import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { qcStatistics, ReviewLine } from '@innkeeper/contract/quality/qc/statistics'
import { kinds } from '@innkeeper/contract/quality/qc/values'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import { inOrder, pageKeys } from '../../../kit/db/page.ts'
import { personOf } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { outOfReach } from '../../../kit/http/errors.ts'
import { withoutUnread } from '../rights.ts'
import { type Asked, forReader, matching } from './asked.ts'

const select = rowsByIds<ReviewLine>(
  (
    isWanted,
  ) => sql`select r.qc_review_id as id, r.conversation_id as "conversationId", r.kind, c.external_id as "externalId", c.subject,
    ${personOf('r.agent_id')} as agent, ${personOf('r.reviewer_id')} as reviewer, r.population, r.score, r.is_failed as "isFailed",
    r.submitted_at as "submittedAt", r.deleted_at as "deletedAt"
  from qc_reviews r join qc_conversations c on c.qc_conversation_id = r.conversation_id where ${isWanted(sql`r.qc_review_id`)}`,
)

/** Conditions for deleted reviews, of the kinds that the caller may restore. */
function deletedOf(staff: Staff, asked: Asked): SQL[] {
  const may = kinds.filter((kind) => holds(staff, `qa:${kind}:review-restore`))
  if (!may.length) throw outOfReach('You may not see deleted reviews')
  return [...matching(asked, sql`r.deleted_at is not null`), sql`r.kind = any(${sql.param(may)}::text[])`]
}

/** The reviews behind a figure, the newest first. */
export async function listReviews({ db, staff }: Context, input: Input<(typeof qcStatistics)['reviews'], 'out'>) {
  const asked = await forReader({ db, staff }, input)
  const where = asked.deletedOnly ? deletedOf(staff, asked) : matching(asked)
  if (asked.scoreType)
    where.push(sql`exists (select from qc_scores s where s.review_id = r.qc_review_id
      and s.type_id = any(${sql.param(asked.scoreType)}::int[]) and s.value is not null)`)
  if (asked.scoreFrom !== undefined) where.push(sql`r.score >= ${asked.scoreFrom}`)
  if (asked.scoreBelow !== undefined) where.push(sql`r.score < ${asked.scoreBelow}`)
  if (asked.failed) where.push(sql`r.is_failed`)
  const order = { column: sql`r.submitted_at`, type: 'instant', direction: 'DESC' } as const
  const { ids, ...page } = await pageKeys(db, asked, {
    from: sql`qc_reviews r`,
    where,
    key: sql`r.qc_review_id`,
    order,
  })
  return {
    items: withoutUnread(staff, inOrder(ids, await select(db, ids))).map((row) =>
      withInstants(row, ['submittedAt', 'deletedAt']),
    ),
    ...page,
  }
}
