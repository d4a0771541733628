import { sql } from 'drizzle-orm'
import type { Metric } from '../../kit/watch/metric.ts'

export const smsMetrics: readonly Metric[] = [
  {
    name: 'innkeeper_sms_queued',
    help: 'Text messages that are due and not sent',
    labels: [],
    rows: sql`select count(*)::float8 as value from sms_messages
      where status = 'queued' and claimed_at is null and not_before <= now()`,
  },
  {
    name: 'innkeeper_sms_oldest_seconds',
    help: 'How long the oldest text message has been due',
    labels: [],
    rows: sql`select coalesce(extract(epoch from now() - min(not_before)), 0)::float8 as value from sms_messages
      where status = 'queued' and claimed_at is null and not_before <= now()`,
  },
]
