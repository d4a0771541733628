import type { QueueSettings } from '@innkeeper/contract/quality/qc/settings'
import { type SQL, sql } from 'drizzle-orm'

/** Quota of an agent in a period. People with fewer than five reviews, and people with low scores, have a larger one. */
export const quotaOf = ({ quota, newFactor, lowFactor, lowScore }: QueueSettings, agentId: SQL): SQL =>
  sql`ceil(${quota} * (select case when count(*) < 5 then ${newFactor}::float8 when avg(r.score) < ${lowScore} then ${lowFactor}::float8 else 1 end
    from (select score from qc_reviews where agent_id = ${agentId} and deleted_at is null order by submitted_at desc limit 20) as r))`
