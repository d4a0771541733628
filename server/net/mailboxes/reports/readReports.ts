import { MailReport } from '@innkeeper/contract/net/mailboxes/reports'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import { ONLINE_S } from '../../../kit/agents/online.ts'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { eachOf, failedLast } from '../../../kit/work/round.ts'

/** Title of the round. */
const ROUND = 'reports of a mail server could not be read'

const AT_ONCE = 20
/** Answers that one round takes from a server; the rest waits for the next round. */
const MOST_ROUNDS = 10
/** Reports that a mail domain stores in a day: anybody can send some. */
const MOST_A_DAY = 500
const KEPT = '400 days'
const Answer = z.object({
  reports: z.array(z.object({ file: z.string(), domain: z.string(), report: MailReport })),
  more: z.boolean(),
})
type Reports = z.output<typeof Answer>['reports']

/** Takes the reports that arrived on mail servers, and forgets old ones. Returns the number of servers. */
export async function readReports(app: App): Promise<number> {
  const due = await rows<{ id: number }>(
    app.db,
    sql`select t.server_id as id from server_states t
      join servers s on s.server_id = t.server_id and s.deleted_at is null
      join mail_sender_reads r on r.server_id = t.server_id
      where 'mail-reports.read' = any(t.operations) and t.last_seen_at > now() - make_interval(secs => ${ONLINE_S})
        and coalesce(r.reports_at < now() - interval '5 minutes', true)
        and exists (select from mailboxes m where m.server_id = t.server_id and m.deleted_at is null)
      order by ${failedLast(app, ROUND, sql`t.server_id`)}, r.reports_at nulls first limit ${AT_ONCE}`,
  )
  await eachOf(app, ROUND, due, ({ id }) => takeReports(app, id), {
    atOnce: AT_ONCE,
  })
  await app.db.execute(sql`delete from mail_reports where received_at < now() - ${KEPT}::interval`)
  return due.length
}

/** The server removes a report once it is stored here: what a crash repeats is stored once. */
async function takeReports(app: App, serverId: number): Promise<void> {
  let taken: string[] = []
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { reports, more } = Answer.parse(await liveRead(app, serverId, 'mail-reports.read', { taken }))
    if (reports.length) await app.db.transaction((tx) => store(tx, serverId, reports))
    taken = reports.map(({ file }) => file)
    if (!taken.length && !more) break
  }
  await app.db.execute(sql`update mail_sender_reads set reports_at = now() where server_id = ${serverId}`)
}

/** Reports on domains that are not on the server are left out. */
async function store(tx: Db, serverId: number, reports: Reports): Promise<void> {
  const given = JSON.stringify(reports.map(({ domain, report }) => ({ ...report, domain })))
  const made = await rows<{ id: number }>(
    tx,
    sql`insert into mail_reports (mailbox_id, kind, organisation, report_id, "from", until, passed, failed, sources)
      select m.mailbox_id, f.kind, f.organisation, f."reportId", f."from", f.until, f.passed, f.failed, f.sources
      from jsonb_to_recordset(${given}::jsonb) as f(domain text, kind text, organisation text, "reportId" text,
          "from" timestamptz, until timestamptz, passed bigint, failed bigint, sources jsonb)
        join mailboxes m on m.domain = f.domain and m.server_id = ${serverId} and m.deleted_at is null
      where (select count(*) from mail_reports r where r.mailbox_id = m.mailbox_id
        and r.received_at > now() - interval '1 day') < ${MOST_A_DAY}
      on conflict do nothing returning mailbox_id as id`,
  )
  for (const id of new Set(made.map((one) => one.id))) await changed(tx, 'mailboxes', id)
}
