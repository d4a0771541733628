import * as z from 'zod'
import { get, id, instant } from '../../kit/endpoint.ts'

const text = z.string().max(300)
const messages = z.int().min(0).max(1_000_000_000_000)
export const ReportSource = z.object({
  /** The address of the sending server, or `unknown`. */
  source: text,
  passed: messages,
  failed: messages,
  /** What the reporting server did, or what failed. */
  why: text,
})

/** A report of another mail server: which mail in the name of a domain it saw (DMARC), or how TLS went. */
export const MailReport = z.object({
  kind: z.enum(['dmarc', 'tls']),
  domain: text.min(1),
  organisation: text,
  reportId: text.min(1),
  from: z.iso.datetime(),
  until: z.iso.datetime(),
  /** Messages, or connections with TLS. */
  passed: messages,
  failed: messages,
  sources: z.array(ReportSource).max(500),
})
export type MailReport = z.output<typeof MailReport>

/** Local part of the address of a mail domain that receives reports, unless people made a mailbox or an alias of it. */
export const REPORTS_TO = 'mail-reports'

export const StoredReport = MailReport.extend({ id: z.int(), from: instant, until: instant, receivedAt: instant })
export type StoredReport = z.output<typeof StoredReport>

export const reportCalls = {
  reports: get('/mailbox/mailboxes/:id/reports', 'mailbox:mailbox:read', {
    summary: 'Reports of other mail servers on the mail of a domain, latest first, with the sums of the last 30 days',
    params: { id },
    returns: z.object({
      items: z.array(StoredReport),
      total: z.int(),
      month: z.object({ passed: z.number(), failed: z.number(), reports: z.int() }),
    }),
  }),
}
