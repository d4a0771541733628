import type { Escalation } from '@innkeeper/contract/quality/qc/shapes'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { peopleOf, personOf } from '../../../kit/db/people.ts'
import { reachedOf } from '../reach.ts'
import { type Reading, withoutUnread } from '../rights.ts'

const select = rowsByIds<Escalation>(
  (
    isWanted,
  ) => sql`select e.qc_escalation_id as id, e.version, e.created_at as "createdAt", e.updated_at as "updatedAt", e.kind,
    e.conversation_id as "conversationId", c.external_id as "externalId", c.subject, ${peopleOf('e.agent_ids')} as agents,
    e.reason, e.description, e.priority, e.status, ${personOf('e.assignee_id')} as assignee, e.due_at as "dueAt",
    ${personOf('e.created_by')} as "createdBy", e.reviewed_at as "reviewedAt", ${personOf('e.reviewed_by')} as "reviewedBy"
  from qc_escalations e join qc_conversations c on c.qc_conversation_id = e.conversation_id
  where ${isWanted(sql`e.qc_escalation_id`)}`,
)

export const readEscalations = async (reading: Reading, ids: number[]): Promise<Escalation[]> =>
  withoutUnread(reading.staff, await reachedOf(reading, inOrder(ids, await select(reading.db, ids)))).map((row) =>
    withInstants(row, ['createdAt', 'updatedAt', 'dueAt', 'reviewedAt']),
  )
