import { holds } from '@innkeeper/contract/access'
import type { TimelineEntry } from '@innkeeper/contract/dossiers/feedbackShapes'
import type { TimelineKind } from '@innkeeper/contract/dossiers/values'
import { type SQL, sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { invalid } from '../../kit/http/errors.ts'
import { personOf, withInstants } from '../../qc/conversations/view.ts'
import { visibleTo } from '../../scrums/reach.ts'
import { readable, withinOf } from '../feedback/readers.ts'

/** A part of the union: its rows, and the columns that order them. */
interface Part {
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

const none = sql`null::text`
const conversation = (m: string) => sql.raw(`${m}.conversation_id`)

/** The kinds of entries about the person that the caller may read. */
async function partsOf(context: Context, userId: number): Promise<Map<TimelineKind, Part>> {
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
  const onKind = (kind: string) =>
    sql`m.conversation_id is not null and exists (select from qc_conversations c where c.qc_conversation_id = m.conversation_id and c.kind = ${kind})`
  if (may('dossier:comment:read')) comments('comment', 'Comment', sql`m.subject = 'dossier'`)
  if (may('dossier:chat-comment:read')) comments('chat-comment', 'Comment on a chat', onKind('chat'))
  if (may('dossier:ticket-comment:read')) comments('ticket-comment', 'Comment on a ticket', onKind('ticket'))
  const [chats, tickets] = [may('qa:chat:read'), may('qa:ticket:read')]
  if (isOwn || chats || tickets)
    parts.set('review', {
      ...{ at: sql`r.submitted_at`, id: sql`r.qc_review_id`, by: 'r.reviewer_id', text: sql`r.comment` },
      ...{ title: sql`'Review of a ' || r.kind`, score: sql`r.score`, conversation: conversation('r') },
      from: sql`qc_reviews r where r.agent_id = ${userId} and r.deleted_at is null
        and (r.kind = 'chat' and ${chats}::boolean or r.kind = 'ticket' and ${tickets}::boolean or ${isOwn}::boolean and r.stats_sent_at is not null)`,
    })
  if (may('qa:escalation:read'))
    parts.set('escalation', {
      ...{ at: sql`e.created_at`, id: sql`e.qc_escalation_id`, by: 'e.created_by', text: sql`e.reason` },
      ...{ title: sql`'Escalation, ' || e.status`, conversation: conversation('e') },
      from: sql`qc_escalations e where e.agent_ids @> array[${userId}::int]`,
    })
  if (isOwn || may('scrums:audit:read'))
    parts.set('audit', {
      ...{
        at: sql`coalesce(a.submitted_at, a.created_at)`,
        id: sql`a.scrum_audit_id`,
        by: 'a.auditor_id',
        text: sql`a.summary`,
      },
      title: sql`case when a.status = 'draft' then 'Draft of an audit, ' else 'Audit, ' end || a.name`,
      score: sql`case when a.total >= 0 then a.total / 10.0::float8 end`,
      from: sql`scrum_audits a where a.user_id = ${userId} and ${visibleTo(staff)}`,
    })
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

/** One part, with the order and limit of the whole, so that the length of the timeline does not slow down a page. */
function written(kind: TimelineKind, part: Part, after: After | undefined, limit: number): SQL {
  const { at, id, by, title, text, visibility = none, score = sql`null::float8`, from } = part
  const { conversation: c = sql`null::int` } = part
  const beyond = after
    ? sql`and (${at} < ${after.at}::timestamptz or ${at} = ${after.at}::timestamptz and (${kind}, ${id}) > (${after.kind}, ${after.id}))`
    : sql``
  return sql`(select ${kind}::text as kind, ${id} as id, ${at} as at, ${sql.raw(by)} as by_id, ${title} as title, ${text} as text,
    ${visibility} as visibility, ${score} as score, ${c} as conversation_id
    from ${from} ${beyond} order by ${at} desc, ${id} limit ${limit})`
}

interface After {
  at: string
  kind: string
  id: number
}
interface Asked {
  kind?: readonly TimelineKind[] | undefined
  itemsPerPage: number
  after?: string | undefined
  /** True: texts at full length, for the export. */
  isWhole?: boolean
}
interface Page {
  items: TimelineEntry[]
  next?: string
  kinds: TimelineKind[]
}

/** A page of a person's timeline. The key of the last entry continues the list. */
export async function readTimeline(context: Context, userId: number, asked: Asked): Promise<Page> {
  const parts = await partsOf(context, userId)
  const kinds = [...parts.keys()]
  const limit = asked.itemsPerPage + 1
  const after = asked.after === undefined ? undefined : readKey(asked.after)
  const wanted = [...parts].filter(([kind]) => !asked.kind || asked.kind.includes(kind))
  if (!wanted.length) return { items: [], kinds }
  const union = sql.join(
    wanted.map(([kind, part]) => written(kind, part, after, limit)),
    sql` union all `,
  )
  const found = await rows<TimelineEntry & { key: string }>(
    context.db,
    sql`select x.kind, x.id, x.at, x.at::text as key, ${personOf('x.by_id')} as by, x.title, ${asked.isWhole ? sql`x.text` : sql`left(x.text, 2000)`} as text, x.visibility, x.score,
        x.conversation_id as "conversationId",
        (select c.kind from qc_conversations c where c.qc_conversation_id = x.conversation_id) as "conversationKind"
      from (select * from (${union}) u order by at desc, kind, id limit ${limit}) x order by x.at desc, x.kind, x.id`,
  )
  const shown = found.slice(0, asked.itemsPerPage)
  const last = found.length > asked.itemsPerPage ? shown.at(-1) : undefined
  return {
    items: shown.map(({ key: _, ...row }) => withInstants(row, ['at'])),
    ...(last && { next: Buffer.from(JSON.stringify([last.key, last.kind, last.id])).toString('base64url') }),
    kinds,
  }
}

function readKey(after: string): After {
  try {
    const [at, kind, id] = JSON.parse(Buffer.from(after, 'base64url').toString('utf8')) as unknown[]
    if (typeof at !== 'string' || !/^\d{4}-\d\d-\d\d [\d:.+]{8,24}$/.test(at) || Number.isNaN(Date.parse(at)))
      throw new Error('not a key')
    if (typeof kind !== 'string' || typeof id !== 'number' || !Number.isSafeInteger(id)) throw new Error('not a key')
    return { at, kind, id }
  } catch {
    throw invalid({ after: 'Not a key that a timeline returned' })
  }
}
