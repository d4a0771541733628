import { sql } from 'drizzle-orm'
import type { Metric } from '../../kit/watch/metric.ts'

/** The index certificates_end has the ends in order. */
const ending = (within: string, days: number) => sql`select ${within}::text as within, count(*)::float8 as value
  from certificates where deleted_at is null and coalesce(not_after, 'infinity') < now() + make_interval(days => ${days}::int)`

export const certificateMetrics: readonly Metric[] = [
  {
    name: 'innkeeper_certificates_ending',
    help: 'Certificates of websites that end within this time, or have ended',
    labels: ['within'],
    rows: sql`${ending('0d', 0)} union all ${ending('7d', 7)} union all ${ending('21d', 21)}`,
  },
]
