import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { changed } from '../../../kit/live/live.ts'

/** Maximum number of chats that one call clears. */
const MOST = 10_000

interface Found {
  id: number
  reason: string | null
}

/**
 * Removes chats that ended before `before` from the queue. Chats that somebody works on are kept, each with the reason.
 * If a review is submitted at the same moment, its chat is kept too: the update checks the status again.
 */
export async function clearQueue(db: Db, before: Date, isDryRun: boolean) {
  const found = await rows<Found>(
    db,
    sql`select c.qc_conversation_id as id, case
        when c.holds_until > now() then 'open at ' || ${personName('h')}
        when c.postponed_until > now() then 'postponed by ' || ${personName('p')}
        when c.assignee_id is not null then 'assigned to ' || ${personName('a')}
        when exists (select from qc_drafts d where d.conversation_id = c.qc_conversation_id) then 'a review is begun'
        when exists (select from qc_escalations e where e.conversation_id = c.qc_conversation_id and e.status <> 'reviewed') then 'an escalation is open'
      end as reason
      from qc_conversations c left join users h on h.user_id = c.holder_id left join users p on p.user_id = c.postponed_by
        left join users a on a.user_id = c.assignee_id
      where c.kind = 'chat' and c.status = 'queued' and c.last_at < ${before.toISOString()}::timestamptz
      order by c.last_at, c.qc_conversation_id limit ${MOST}`,
  )
  const kept = found.flatMap(({ id, reason }) => (reason ? [{ id, reason }] : []))
  const free = found.flatMap(({ id, reason }) => (reason ? [] : [id]))
  if (isDryRun) return { isDryRun, cleared: free, kept }
  const cleared = await rows<{ id: number }>(
    db,
    sql`update qc_conversations set status = 'cleared', version = version + 1, updated_at = now()
      where qc_conversation_id = any(${sql.param(free)}::int[]) and status = 'queued'
        and (holds_until is null or holds_until <= now()) and (postponed_until is null or postponed_until <= now())
        and assignee_id is null returning qc_conversation_id as id`,
  )
  if (cleared.length) await changed(db, 'qc')
  const gone = new Set(cleared.map(({ id }) => id))
  const late = free
    .filter((id) => !gone.has(id))
    .map((id) => ({ id, reason: 'reviewed, opened or assigned meanwhile' }))
  return { isDryRun, cleared: [...gone], kept: [...kept, ...late] }
}
