import type { ImportItem } from '@innkeeper/contract/quality/qc/sourceShapes'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { isAgent, type Known } from './identities.ts'

/** Adds messages, and applies edits and removals. Messages that an item no longer contains stay. */
export async function writeMessages(
  db: Db,
  items: readonly ImportItem[],
  ids: ReadonlyMap<string, number>,
  known: ReadonlyMap<string, Known>,
) {
  const messages = items.flatMap((item) => {
    const unique = [...new Map(item.messages.map((message) => [message.id, message])).values()]
    return unique.map((message) => {
      const { id, at, author, kind, text, editedAt, removed, files } = message
      const identity = isAgent(message) ? known.get(author.id) : undefined
      return {
        ...{
          conversationId: ids.get(`${item.kind} ${item.id}`),
          externalId: id,
          at,
          kind,
          role: author.role,
          body: text,
          editedAt,
        },
        ...{
          author: author.name || author.id,
          identityId: identity?.id ?? null,
          userId: identity?.userId ?? null,
          removed,
          files,
        },
      }
    })
  })
  if (!messages.length) return
  await db.execute(sql`insert into qc_messages (conversation_id, external_id, at, kind, role, author, identity_id, user_id, body, edited_at, removed_at, files)
    select m."conversationId", m."externalId", m.at, m.kind, m.role, m.author, m."identityId", m."userId", m.body, m."editedAt",
      case when m.removed then now() end, m.files
    from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as m("conversationId" int, "externalId" text, at timestamptz, kind text,
      role text, author text, "identityId" int, "userId" int, body text, "editedAt" timestamptz, removed boolean, files jsonb)
    on conflict (conversation_id, external_id) do update set body = excluded.body, edited_at = excluded.edited_at, files = excluded.files,
      removed_at = case when excluded.removed_at is null then null else coalesce(qc_messages.removed_at, excluded.removed_at) end
    where (qc_messages.body, qc_messages.edited_at, qc_messages.files, qc_messages.removed_at is null)
      is distinct from (excluded.body, excluded.edited_at, excluded.files, excluded.removed_at is null)`)
}
