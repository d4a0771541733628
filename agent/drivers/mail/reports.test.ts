import { deflateRawSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { reportIn } from './reportParts.ts'
import { readReport } from './reports.ts'

const row = (ip: string, count: number, verdict: string) =>
  `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated><disposition>none</disposition>` +
  `<dkim>${verdict}</dkim><spf>fail</spf></policy_evaluated></row><identifiers><header_from>a.example</header_from></identifiers></record>`
const xml = (records: string, id = 'r&amp;1') =>
  `<?xml version="1.0"?>\n<!-- a comment --><feedback xmlns="urn:x"><report_metadata><org_name>Far &amp; Co</org_name>` +
  `<report_id>${id}</report_id><date_range><begin>1764000000</begin><end>1764086400</end></date_range></report_metadata>` +
  `<policy_published><domain>A.example</domain><p>none</p></policy_published>${records}</feedback>`
const mail = (type: string, bytes: Buffer) =>
  `From: x\nContent-Type: multipart/mixed;\n boundary="b1"\n\nhello\n--b1\nContent-Type: text/plain\n\nreport\n--b1\n` +
  `Content-Type: ${type}\nContent-Transfer-Encoding: base64\n\n${bytes.toString('base64').replace(/.{76}/g, '$&\n')}\n--b1--\n`
function zip(text: string): Buffer {
  const packed = deflateRawSync(text)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(packed.length, 18)
  head.writeUInt16LE(5, 26)
  return Buffer.concat([head, Buffer.from('a.xml'), packed, Buffer.from('PK\x01\x02 the directory')])
}

test('reads DMARC reports: plain, gzip and zip; sums by server', () => {
  const text = xml(row('192.0.2.1', 5, 'pass') + row('192.0.2.1', 2, 'fail') + row('not an ip', 1, 'fail'))
  for (const packed of [gzipSync(text), zip(text), Buffer.from(text)])
    expect(readReport(reportIn(mail('application/octet-stream', packed)) ?? '')).toEqual({
      ...{ kind: 'dmarc', domain: 'a.example', organisation: 'Far & Co', reportId: 'r&1' },
      ...{ from: '2025-11-24T16:00:00.000Z', until: '2025-11-25T16:00:00.000Z', passed: 5, failed: 3 },
      sources: [
        { source: '192.0.2.1', passed: 5, failed: 2, why: 'none' },
        { source: 'unknown', passed: 0, failed: 1, why: 'none' },
      ],
    })
})

test('reads TLS reports', () => {
  const report = {
    ...{ 'organization-name': 'Far', 'report-id': 'r1', 'contact-info': 'x' },
    'date-range': { 'start-datetime': '2026-11-24T00:00:00Z', 'end-datetime': '2026-11-24T23:59:59Z' },
    policies: [
      {
        policy: { 'policy-type': 'sts', 'policy-domain': 'a.example' },
        summary: { 'total-successful-session-count': 9, 'total-failure-session-count': 1 },
        'failure-details': [
          { 'result-type': 'certificate-expired', 'sending-mta-ip': '2001:db8::1', 'failed-session-count': 1 },
        ],
      },
    ],
  }
  expect(readReport(reportIn(mail('application/tlsrpt+gzip', gzipSync(JSON.stringify(report)))) ?? '')).toMatchObject({
    ...{ kind: 'tls', domain: 'a.example', passed: 9, failed: 1 },
    sources: [{ source: '2001:db8::1', failed: 1, why: 'certificate-expired' }],
  })
})

test('refuses hostile reports, in linear time', () => {
  const bomb = gzipSync(Buffer.alloc(12 * 1024 * 1024, 'x'))
  expect(() => reportIn(mail('application/gzip', bomb))).toThrow()
  const reads = (text: string) => () => readReport(text)
  const entity =
    '<?xml version="1.0"?><!DOCTYPE f [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><feedback>&b;</feedback>'
  expect(reads(entity)).toThrow('declares a document type')
  expect(reads(`<feedback>${'<a>'.repeat(20_000)}`)).toThrow('nested too deeply')
  expect(reads(xml(row('192.0.2.1', 1, 'pass')).slice(0, 300))).toThrow()
  expect(reads('<feedback></record>')).toThrow('not closed in order')
  expect(reads(`<feedback>${'<a/>'.repeat(210_000)}</feedback>`)).toThrow('too many elements')
  expect(reads(xml('', ''))).toThrow()
  expect(reportIn('Subject: a letter\n\nhello')).toBeUndefined()
  expect(reportIn(`Content-Type: multipart/mixed; boundary=""\n\n${'\n--'.repeat(50_000)}`)).toBeUndefined()
  const many = Array.from({ length: 2000 }, (_, n) => row(`10.0.${n >> 8}.${n & 255}`, 1, 'pass')).join('')
  expect(readReport(xml(many))).toMatchObject({ passed: 2000, sources: { length: 500 } })
})
