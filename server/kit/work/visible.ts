import { holds } from '@innkeeper/contract/kit/access'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../access/sessions.ts'
import type { Subject } from './subject.ts'
import { workflows } from './tables.ts'

/**
 * Condition on `workflows` for those that the caller may see; undefined if there are none. One array of types, because a
 * jump checks each skipped row.
 */
export function visibleWorkflows(subjects: Readonly<Record<string, Subject>>, staff: Staff): SQL | undefined {
  const seen = Object.entries(subjects).filter(([, { see }]) => holds(staff, see))
  if (!seen.length) return undefined
  const whole = seen.flatMap(([type, { rows }]) => (rows ? [] : type))
  const some = seen.flatMap(([type, { rows }]) =>
    rows ? sql`(${workflows.subjectType} = ${type} and ${rows(staff)})` : [],
  )
  return sql`(${sql.join([sql`${workflows.subjectType} = any(${sql.param(whole)}::text[])`, ...some], sql` or `)})`
}
