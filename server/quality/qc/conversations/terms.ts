import type { Term } from '@innkeeper/contract/quality/qc/filterText'
import { type SQL, sql } from 'drizzle-orm'
import { contains } from '../../../kit/db/page.ts'
import { qcConversations as c } from './tables.ts'

/** Text whose lower case the trigram index of conversations covers. */
export const searched = sql`${c.subject} || ' ' || ${c.customerName} || ' ' || ${c.customerEmail} || ' ' || ${c.externalId}`

const signs = { '<=': sql`<=`, '>=': sql`>=`, '=': sql`=` } as const

/** The condition of one term of a filter text, over `qc_conversations`. */
export function conditionOf(term: Term): SQL {
  switch (term.field) {
    case 'csat':
      return sql`${c.csat} ${signs[term.is]} ${term.value}`
    case 'messages':
      return sql`${c.messages} ${signs[term.is]} ${term.value}`
    case 'source':
      return sql`${c.sourceId} in (select qc_source_id from qc_sources where lower(name) = lower(${term.value}))`
    case 'agent':
      return sql`${c.agentId} in (select user_id from users where lower(username) = lower(${term.value}) or lower(email) = lower(${term.value}))`
    case 'department':
      return sql`${c.departmentId} in (select department_id from departments where lower(name) = lower(${term.value}))`
    case 'tag':
      return sql`${c.tagIds} && array(select qc_tag_id from qc_tags where lower(name) = lower(${term.value}) and deleted_at is null)`
    case 'newer':
      return sql`${c.lastAt} > now() - make_interval(days => ${term.days})`
    case 'older':
      return sql`${c.lastAt} < now() - make_interval(days => ${term.days})`
    case 'words':
      return contains(searched, term.value)
  }
}

/** Tickets that a cron filter may queue: never queued, not merged, not deleted in the source. */
export const fresh = sql`${c.kind} = 'ticket' and ${c.status} = 'imported' and ${c.mergedInto} is null and ${c.goneAt} is null`
