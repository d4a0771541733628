import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import { desc, eq, sql } from 'drizzle-orm'
import { rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { readMailbox } from '../read.ts'
import { mailReports } from '../tables.ts'

const SHOWN = 50

export const reportHandlers: Pick<Handlers<typeof contract>, 'reports'> = {
  async reports({ id }, { db }) {
    const { domain } = await readMailbox(db, id)
    const items = await db
      .select()
      .from(mailReports)
      .where(eq(mailReports.mailboxId, id))
      .orderBy(desc(mailReports.until), desc(mailReports.id))
      .limit(SHOWN)
    const [month] = await rows<{ passed: number; failed: number; reports: number }>(
      db,
      sql`select coalesce(sum(passed), 0)::float8 as passed, coalesce(sum(failed), 0)::float8 as failed, count(*)::int as reports
        from mail_reports where mailbox_id = ${id} and kind = 'dmarc' and until > now() - interval '30 days'`,
    )
    return {
      items: items.map(({ mailboxId: _, ...report }) => ({ ...report, domain })),
      total: await db.$count(mailReports, eq(mailReports.mailboxId, id)),
      month: month ?? { passed: 0, failed: 0, reports: 0 },
    }
  },
}
