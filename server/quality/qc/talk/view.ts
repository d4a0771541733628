import type { Comment } from '@innkeeper/contract/quality/qc/shapes'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { personOf } from '../../../kit/db/people.ts'

const select = rowsByIds<Comment>(
  (
    isWanted,
  ) => sql`select c.qc_comment_id as id, c.version, c.created_at as "createdAt", c.updated_at as "updatedAt", c.type,
    c.subject, c.subject_id as "subjectId", c.conversation_id as "conversationId",
    (select v.kind from qc_conversations v where v.qc_conversation_id = c.conversation_id) as "conversationKind",
    ${personOf('c.about_id')} as about, c.content,
    ${personOf('c.created_by')} as author, c.mentions, c.edited_at as "editedAt"
  from qc_comments c where ${isWanted(sql`c.qc_comment_id`)} and c.deleted_at is null`,
)

export const readComments = async (db: Db, ids: number[]): Promise<Comment[]> =>
  inOrder(ids, await select(db, ids)).map((row) => withInstants(row, ['createdAt', 'updatedAt', 'editedAt']))
