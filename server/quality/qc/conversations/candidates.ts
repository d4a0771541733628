import type { QueueSettings } from '@innkeeper/contract/quality/qc/settings'
import { sql } from 'drizzle-orm'

/** `from` and `where` of the conversations `c` that the settings of their kind may queue. */
export const candidates = ({ kind, minMessages }: QueueSettings) =>
  sql`from qc_conversations c where c.kind = ${kind} and c.status = 'imported' and c.messages >= ${minMessages}
    and c.merged_into is null and c.gone_at is null and c.redacted_at is null and c.agent_id is not null`
