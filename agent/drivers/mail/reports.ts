import { isIP } from 'node:net'
import { MailReport } from '@innkeeper/contract/net/mailboxes/reports'
import * as z from 'zod'

const MOST_RECORDS = 500
const MOST_NODES = 200_000
const DEEPEST = 12
const MOST_TEXT = 300
/** The end of the year 9999. */
const LATEST_S = 253_402_300_799

/** A report of another mail server, from its unpacked text. Throws with a reason if it is none. */
export const readReport = (text: string): MailReport => (text.startsWith('{') ? tlsReport(text) : dmarcReport(text))

/** Texts of strangers: one line, cut, without control characters. */
const clean = (text: string | undefined) =>
  [...(text ?? '').replace(/\p{Cc}/gu, ' ').slice(0, MOST_TEXT)].join('').trim()
const count = (text: string | undefined, most = 1_000_000_000) =>
  Math.min(Math.max(Number.parseInt(text ?? '', 10) || 0, 0), most)

/** An aggregate report of DMARC (RFC 7489, appendix C), read in one pass. */
function dmarcReport(text: string): MailReport {
  let row: Record<string, string> = {}
  const about: Record<string, string> = {}
  const sources = new Map<string, MailReport['sources'][number]>()
  const sums = { passed: 0, failed: 0 }
  eachElement(text, (path, value) => {
    if (path.startsWith('feedback/record/')) row[path] ??= value
    else about[path] ??= value
    if (path !== 'feedback/record') return
    const at = (name: string) => row[`feedback/record/row/${name}`]
    const passes = at('policy_evaluated/dkim') === 'pass' || at('policy_evaluated/spf') === 'pass'
    const messages = count(at('count'))
    sums[passes ? 'passed' : 'failed'] += messages
    const source = isIP(at('source_ip') ?? '') ? (at('source_ip') ?? '') : 'unknown'
    const known = sources.get(source)
    if (known || sources.size < MOST_RECORDS) {
      const from = known ?? { source, passed: 0, failed: 0, why: clean(at('policy_evaluated/disposition')) }
      from[passes ? 'passed' : 'failed'] += messages
      sources.set(source, from)
    }
    row = {}
  })
  const meta = (name: string) => about[`feedback/report_metadata/${name}`]
  return MailReport.parse({
    kind: 'dmarc',
    domain: clean(about['feedback/policy_published/domain']).toLowerCase(),
    organisation: clean(meta('org_name')),
    reportId: clean(meta('report_id')),
    from: instantOf(meta('date_range/begin')),
    until: instantOf(meta('date_range/end')),
    ...sums,
    sources: [...sources.values()],
  })
}
const instantOf = (seconds: string | undefined) => new Date(count(seconds, LATEST_S) * 1000).toISOString()

/**
 * Calls `each` with the path and the text of every element that ends. Document types and entities of the document are
 * refused: they could grow without end.
 */
function eachElement(text: string, each: (path: string, value: string) => void): void {
  const open: { name: string; value: string }[] = []
  let at = 0
  for (let nodes = 0; ; nodes++) {
    if (nodes > MOST_NODES) throw new Error('the report has too many elements')
    const start = text.indexOf('<', at)
    if (start < 0) break
    const top = open.at(-1)
    if (top && top.value.length < MOST_TEXT) top.value += unescaped(text.slice(at, Math.min(start, at + MOST_TEXT)))
    const [closing, skip] = text.startsWith('<!--', start)
      ? ['-->', true]
      : text.startsWith('<?', start)
        ? ['?>', true]
        : ['>', false]
    if (!skip && text[start + 1] === '!') throw new Error('the report declares a document type, which none needs')
    const end = text.indexOf(closing, start + 1)
    if (end < 0) throw new Error('the report breaks off')
    at = end + closing.length
    if (skip) continue
    const inner = text.slice(start + 1, Math.min(end, start + 200))
    const name = (/^\/?(?:[\w.-]{1,60}:)?([\w.-]{1,60})/.exec(inner)?.[1] ?? '').toLowerCase()
    if (!inner.startsWith('/')) {
      if (open.length >= DEEPEST) throw new Error('the report is nested too deeply')
      open.push({ name, value: '' })
    }
    if (inner.startsWith('/') || text[end - 1] === '/') {
      const path = open.map((one) => one.name).join('/')
      const last = open.pop()
      if (last?.name !== name) throw new Error('the elements of the report are not closed in order')
      each(path, last.value.trim())
    }
  }
  if (open.length) throw new Error('the report breaks off')
}

const known: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescaped = (text: string) => text.replace(/&(\w{2,4});/g, (whole, name: string) => known[name] ?? whole)

const Tls = z.object({
  'organization-name': z.string().default(''),
  'report-id': z.string(),
  'date-range': z.object({
    'start-datetime': z.iso.datetime({ offset: true }),
    'end-datetime': z.iso.datetime({ offset: true }),
  }),
  policies: z
    .array(
      z.object({
        policy: z.object({ 'policy-domain': z.string() }),
        summary: z.object({
          'total-successful-session-count': z.int().min(0),
          'total-failure-session-count': z.int().min(0),
        }),
        'failure-details': z
          .array(
            z.object({
              'result-type': z.string(),
              'sending-mta-ip': z.string().default(''),
              'failed-session-count': z.int().min(0),
            }),
          )
          .max(10_000)
          .default([]),
      }),
    )
    .min(1)
    .max(100),
})

/** A report on TLS of incoming connections (RFC 8460). */
function tlsReport(text: string): MailReport {
  const report = Tls.parse(JSON.parse(text))
  const range = report['date-range']
  const details = report.policies.flatMap((one) => one['failure-details']).slice(0, MOST_RECORDS)
  const sum = (of: (summary: (typeof report.policies)[number]['summary']) => number) =>
    Math.min(
      report.policies.reduce((all, { summary }) => all + of(summary), 0),
      1_000_000_000,
    )
  return MailReport.parse({
    kind: 'tls',
    domain: clean(report.policies[0]?.policy['policy-domain']).toLowerCase(),
    organisation: clean(report['organization-name']),
    reportId: clean(report['report-id']),
    from: new Date(range['start-datetime']).toISOString(),
    until: new Date(range['end-datetime']).toISOString(),
    passed: sum((one) => one['total-successful-session-count']),
    failed: sum((one) => one['total-failure-session-count']),
    sources: details.map((one) => ({
      source: isIP(one['sending-mta-ip']) ? one['sending-mta-ip'] : 'unknown',
      passed: 0,
      failed: Math.min(one['failed-session-count'], 1_000_000_000),
      why: clean(one['result-type']),
    })),
  })
}
