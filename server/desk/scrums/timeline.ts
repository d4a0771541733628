import { holds } from '@innkeeper/contract/kit/access'
import { sql } from 'drizzle-orm'
import type { TimelineSource } from '../../quality/dossiers/timeline/parts.ts'
import { visibleTo } from './reach.ts'

/** The audits of a person in the timeline of the dossier. */
export const auditsOf: TimelineSource = (staff, userId) => {
  if (staff.id !== userId && !holds(staff, 'scrums:audit:read')) return new Map()
  const part = {
    ...{
      at: sql`coalesce(a.submitted_at, a.created_at)`,
      id: sql`a.scrum_audit_id`,
      by: 'a.auditor_id',
      text: sql`a.summary`,
    },
    title: sql`case when a.status = 'draft' then 'Draft of an audit, ' else 'Audit, ' end || a.name`,
    score: sql`case when a.total >= 0 then a.total / 10.0::float8 end`,
    from: sql`scrum_audits a where a.user_id = ${userId} and ${visibleTo(staff)}`,
  }
  return new Map([['audit', part]])
}
