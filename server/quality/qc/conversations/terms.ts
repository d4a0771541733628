import type { Term } from '@innkeeper/contract/quality/qc/filterText'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { contains } from '../../../kit/db/page.ts'
import { qcConversations as c } from './tables.ts'

/** Text whose lower case the trigram index of conversations covers. */
export const searched = sql`${c.subject} || ' ' || ${c.customerName} || ' ' || ${c.customerEmail} || ' ' || ${c.externalId}`

const signs = { '<=': sql`<=`, '>=': sql`>=`, '=': sql`=` } as const

const sources = (name: string) => sql`select qc_source_id from qc_sources where lower(name) = lower(${name})`
const agents = (name: string) =>
  sql`select user_id from users where lower(username) = lower(${name}) or lower(email) = lower(${name})`
const departments = (name: string) => sql`select department_id from departments where lower(name) = lower(${name})`
const tags = (name: string) =>
  sql`select qc_tag_id from qc_tags where lower(name) = lower(${name}) and deleted_at is null`

/** What a term may name, by its field. */
const named = {
  source: { rows: sources, text: 'No source has the name' },
  agent: { rows: agents, text: 'Nobody has the user name or e-mail address' },
  department: { rows: departments, text: 'No department has the name' },
  tag: { rows: tags, text: 'No tag has the name' },
} as const

const isNaming = (term: Term): term is Extract<Term, { field: keyof typeof named }> => term.field in named

/** Why the first term that names something names nothing; null if every name exists. */
export async function unknownName(db: Db, terms: readonly Term[]): Promise<string | null> {
  for (const term of terms) {
    if (!isNaming(term)) continue
    const { rows: found, text } = named[term.field]
    if (!(await rows(db, found(term.value))).length) return `${text} ${term.value}`
  }
  return null
}

/** The condition of one term of a filter text, over `qc_conversations`. */
export function conditionOf(term: Term): SQL {
  switch (term.field) {
    case 'csat':
      return sql`${c.csat} ${signs[term.is]} ${term.value}`
    case 'messages':
      return sql`${c.messages} ${signs[term.is]} ${term.value}`
    case 'source':
      return sql`${c.sourceId} in (${sources(term.value)})`
    case 'agent':
      return sql`${c.agentId} in (${agents(term.value)})`
    case 'department':
      return sql`${c.departmentId} in (${departments(term.value)})`
    case 'tag':
      return sql`${c.tagIds} && array(${tags(term.value)})`
    case 'newer':
      return sql`${c.lastAt} > now() - make_interval(days => ${term.days})`
    case 'older':
      return sql`${c.lastAt} < now() - make_interval(days => ${term.days})`
    case 'words':
      return contains(searched, term.value)
  }
}

/** Tickets that a cron filter may queue: never queued, not merged, not deleted in the source, not erased. */
export const fresh = sql`${c.kind} = 'ticket' and ${c.status} = 'imported' and ${c.mergedInto} is null and ${c.goneAt} is null and ${c.redactedAt} is null`
