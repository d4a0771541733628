import type { Conversation } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { peopleOf, personOf } from '../../../kit/db/people.ts'
import { notFound } from '../../../kit/http/errors.ts'

/** Leases and postponements that ended before now count as absent. */
const now = sql`now()`
const select = rowsByIds<Conversation>(
  (
    isWanted,
  ) => sql`select c.qc_conversation_id as id, c.version, c.created_at as "createdAt", c.updated_at as "updatedAt", c.kind,
    c.external_id as "externalId", s.name as "sourceName", c.subject, c.customer_name as "customerName",
    c.customer_email as "customerEmail", ${personOf('c.agent_id')} as agent, ${peopleOf('c.agent_ids')} as agents,
    d.name as "departmentName", c.started_at as "startedAt", c.last_at as "lastAt", c.messages, c.csat,
    (select x.failed_count from qc_check_results x where x.conversation_id = c.qc_conversation_id and x.checked_at is not null) as "failedChecks",
    (select coalesce(json_agg(json_build_object('id', t.qc_tag_id, 'name', t.name, 'colour', t.colour) order by lower(t.name)), '[]'::json)
      from qc_tags t where t.qc_tag_id = any(c.tag_ids)) as tags,
    c.status, c.queued_at as "queuedAt", c.queued_by as "queuedBy",
    case when c.holds_until > ${now} then ${personOf('c.holder_id')} end as holder,
    case when c.holds_until > ${now} then c.holds_until end as "holdsUntil",
    ${personOf('c.assignee_id')} as assignee, c.assign_reason as "assignReason",
    case when c.postponed_until > ${now} then ${personOf('c.postponed_by')} end as "postponedBy",
    case when c.postponed_until > ${now} then c.postponed_until end as "postponedUntil",
    c.score, c.reviewed_at as "reviewedAt", ${personOf('c.reviewed_by')} as reviewer, c.redacted_at as "redactedAt",
    ${peopleOf('array(select d.reviewer_id from qc_drafts d where d.conversation_id = c.qc_conversation_id order by d.saved_at)')} as drafts, c.merged_into as "mergedInto", c.merged_into_id as "mergedIntoId",
    c.gone_at as "goneAt",
    c.reopened_since as "reopenedSince"
  from qc_conversations c join qc_sources s on s.qc_source_id = c.source_id left join departments d on d.department_id = c.department_id
  where ${isWanted(sql`c.qc_conversation_id`)}`,
)
const instants = [
  ...(['createdAt', 'updatedAt', 'startedAt', 'lastAt', 'queuedAt', 'holdsUntil', 'postponedUntil'] as const),
  ...(['reviewedAt', 'goneAt', 'redactedAt', 'reopenedSince'] as const),
]

export const readConversations = async (db: Db, ids: number[]): Promise<Conversation[]> =>
  inOrder(ids, await select(db, ids)).map((row) => withInstants(row, instants))

export async function readConversation(db: Db, id: number, kind?: Kind): Promise<Conversation> {
  const [found] = await readConversations(db, [id])
  if (!found || (kind && found.kind !== kind)) throw notFound(kind ?? 'conversation', id)
  return found
}
