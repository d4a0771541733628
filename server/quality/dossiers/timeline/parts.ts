import { holds } from '@innkeeper/contract/kit/access'
import type { TimelineKind } from '@innkeeper/contract/quality/dossiers/values'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { all } from '../../../kit/db/page.ts'
import type { Context } from '../../../kit/http/api.ts'
import { ofReach } from '../../qc/reach.ts'
import { readable, withinOf } from '../feedback/readers.ts'

/** A part of the union: its rows, and the columns that order them. */
export interface Part {
  at: SQL
  id: SQL
  by: string
  title: SQL
  text: SQL
  visibility?: SQL
  score?: SQL
  conversation?: SQL
  from: SQL
}

export const none = sql`null::text`
const conversation = (m: string) => sql.raw(`${m}.conversation_id`)

/** The entries about a person that another domain adds, as far as the staff member may read them. */
export type TimelineSource = (staff: Staff, userId: number) => Map<TimelineKind, Part>

let sources: readonly TimelineSource[] = []

/** Sets the sources of all domains; called by `registry.ts`. */
export function useTimelineSources(all: readonly TimelineSource[]): void {
  sources = all
}

/** The kinds of entries about the person that the caller may read. */
export async function partsOf(context: Context, userId: number): Promise<Map<TimelineKind, Part>> {
  const { staff } = context
  const isOwn = staff.id === userId
  const may = (scope: string) => holds(staff, scope)
  const parts = new Map<TimelineKind, Part>()
  if (isOwn || may('dossier:feedback:read'))
    parts.set('feedback', {
      ...{ at: sql`f.created_at`, id: sql`f.dossier_feedback_id`, by: 'f.author_id', text: sql`f.content` },
      title: sql`case when f.is_draft then 'Draft' else coalesce((select w.name from dossier_words w where w.dossier_word_id = f.type_id), 'Feedback') end`,
      visibility: sql`f.visibility`,
      from: sql`dossier_feedbacks f where f.subject_id = ${userId} and ${await withinOf(context, userId)} and ${await readable(context)}`,
    })
  const comments = (kind: TimelineKind, title: string, where: SQL) =>
    parts.set(kind, {
      ...{ at: sql`m.created_at`, id: sql`m.qc_comment_id`, by: 'm.created_by', text: sql`m.content` },
      ...{ title: sql`${title}::text`, conversation: conversation('m') },
      from: sql`qc_comments m where m.about_id = ${userId} and m.deleted_at is null and m.type = 'comment' and ${where}`,
    })
  const reach = async (m: string) => all([sql`true`, ...(await ofReach(context, conversation(m)))])
  const [ofComments, ofReviews, ofEscalations] = [await reach('m'), await reach('r'), await reach('e')]
  const onKind = (kind: string) =>
    sql`m.conversation_id is not null and exists (select from qc_conversations c where c.qc_conversation_id = m.conversation_id and c.kind = ${kind}) and ${ofComments}`
  if (may('dossier:comment:read')) comments('comment', 'Comment', sql`m.subject = 'dossier'`)
  if (may('dossier:chat-comment:read')) comments('chat-comment', 'Comment on a chat', onKind('chat'))
  if (may('dossier:ticket-comment:read')) comments('ticket-comment', 'Comment on a ticket', onKind('ticket'))
  const [chats, tickets] = [may('qa:chat:read'), may('qa:ticket:read')]
  if (isOwn || chats || tickets)
    parts.set('review', {
      ...{ at: sql`r.submitted_at`, id: sql`r.qc_review_id`, by: 'r.reviewer_id', text: sql`r.comment` },
      ...{ title: sql`'Review of a ' || r.kind`, score: sql`r.score`, conversation: conversation('r') },
      from: sql`qc_reviews r where r.agent_id = ${userId} and r.deleted_at is null
        and (${isOwn}::boolean or ${ofReviews}) and (r.kind = 'chat' and ${chats}::boolean or r.kind = 'ticket' and ${tickets}::boolean or ${isOwn}::boolean and r.stats_sent_at is not null)`,
    })
  if (may('qa:escalation:read'))
    parts.set('escalation', {
      ...{ at: sql`e.created_at`, id: sql`e.qc_escalation_id`, by: 'e.created_by', text: sql`e.reason` },
      ...{ title: sql`'Escalation, ' || e.status`, conversation: conversation('e') },
      from: sql`qc_escalations e where e.agent_ids @> array[${userId}::int] and ${ofEscalations}`,
    })
  for (const source of sources) for (const [kind, part] of source(staff, userId)) parts.set(kind, part)
  if (isOwn || may('dossier:membership:read'))
    parts.set('team', {
      ...{ at: sql`m.starts_on::timestamptz`, id: sql`m.dossier_membership_id`, by: 'm.created_by' },
      title: sql`(select t.name from dossier_teams t where t.dossier_team_id = m.team_id)`,
      text: sql`concat_ws(', ', (select p.name from dossier_positions p where p.dossier_position_id = m.position_id),
        case when m.is_additional then 'additional' end, case when m.ends_on is not null then 'until ' || m.ends_on end)`,
      from: sql`dossier_memberships m where m.user_id = ${userId} and m.deleted_at is null`,
    })
  parts.set('talk', {
    ...{ at: sql`t.created_at`, id: sql`t.dossier_talk_id`, by: 't.lead_id', title: sql`t.title` },
    text: sql`array_to_string(t.goals, E'\n')`,
    from: sql`dossier_talks t where t.person_id = ${userId} and (t.person_id = ${staff.id} or t.lead_id = ${staff.id})`,
  })
  return parts
}
