import { holds } from '@innkeeper/contract/kit/access'
import type { dossiers as contract } from '@innkeeper/contract/quality/dossiers/calls'
import { sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { timeZoneOf } from '../../../planning/calendar/places.ts'
import { eraseTexts } from './erase.ts'
import { exportOf } from './export.ts'
import { readTimeline } from './union.ts'

type Calls = 'timeline' | 'trend' | 'export' | 'erase'

export const timelineHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async timeline({ id, ...asked }, context) {
    await checkDossier(context, id)
    return readTimeline(context, id, asked)
  },

  async trend({ id }, context) {
    await checkDossier(context, id)
    const { kinds } = await readTimeline(context, id, { kind: ['review'], itemsPerPage: 1 })
    return { months: kinds.includes('review') ? await monthsOf(context, id) : [] }
  },

  async export({ id }, context) {
    await checkDossier(context, id)
    return exportOf(context, id)
  },

  erase: ({ id, reason }, context) => eraseTexts(context, id, reason),
}

async function checkDossier({ db }: Context, id: number): Promise<void> {
  const [found] = await rows(db, sql`select from dossiers where user_id = ${id} and deleted_at is null`)
  if (!found) throw notFound('dossier', id)
}

/**
 * Twelve months, including months without reviews. People see reviews of themselves only after they were notified of
 * them.
 */
const monthsOf = async ({ db, staff }: Context, id: number) => {
  const zone = await timeZoneOf(db)
  const month = sql`date_trunc('month', now() at time zone ${zone})`
  return rows<{ month: string; score: number | null; reviews: number }>(
    db,
    sql`select to_char(m.first, 'YYYY-MM') as month, avg(r.score)::float8 as score, count(r.qc_review_id)::int as reviews
      from generate_series(${month} - interval '11 months', ${month}, interval '1 month') as m(first)
      left join qc_reviews r on r.agent_id = ${id} and r.deleted_at is null
        and r.submitted_at >= m.first at time zone ${zone} and r.submitted_at < (m.first + interval '1 month') at time zone ${zone}
        and (r.kind = 'chat' and ${mayRead(staff, 'chat')}::boolean or r.kind = 'ticket' and ${mayRead(staff, 'ticket')}::boolean
          or ${staff.id === id}::boolean and r.stats_sent_at is not null)
      group by m.first order by m.first`,
  )
}
const mayRead = (staff: Context['staff'], kind: string) => holds(staff, `qa:${kind}:read`)
