import { isIPv6 } from 'node:net'
import type { MailRecord } from '@innkeeper/contract/net/mailboxes/mailRecords'
import { POLICY_ID } from '@innkeeper/contract/net/mailboxes/mtaSts'
import { REPORTS_TO } from '@innkeeper/contract/net/mailboxes/reports'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { servers } from '../../machines/servers/tables.ts'
import type { MailDomain } from './steps.ts'
import { mailKeys } from './tables.ts'

export type WantedRecord = Pick<MailRecord, 'name' | 'type' | 'content' | 'purpose' | 'required'>

/** The records that a mail domain needs: where mail arrives, who may send, and where mail programs connect. */
export async function wantedRecords(db: Db, row: MailDomain): Promise<WantedRecord[]> {
  const { domain } = row
  const host = `mail.${domain}`
  const [server] = await db.select({ address: servers.address }).from(servers).where(eq(servers.id, row.serverId))
  const keys = await db.select().from(mailKeys).where(eq(mailKeys.mailboxId, row.id)).orderBy(mailKeys.id)
  const address = server?.address
  const isPublic = await coversPolicy(db, row)
  const ofHost = address && isIPv6(address) ? 'AAAA' : 'A'
  const record = (
    name: string,
    type: MailRecord['type'],
    content: string,
    purpose: string,
    required = true,
  ): WantedRecord => ({ name, type, content, purpose, required })
  return [
    ...(address ? [record(host, ofHost, address, 'Points to the mail server')] : []),
    record(domain, 'MX', `10 ${host}.`, 'Where mail arrives'),
    record(domain, 'TXT', 'v=spf1 mx ~all', 'Who may send (SPF)'),
    ...keys.flatMap(({ selector, publicKey, signs }) =>
      publicKey
        ? [
            record(
              `${selector}._domainkey.${domain}`,
              'TXT',
              `v=DKIM1; k=rsa; p=${publicKey}`,
              signs ? 'Verifies signatures (DKIM)' : 'Verifies signatures of another key (DKIM)',
              signs,
            ),
          ]
        : [],
    ),
    record(
      `_dmarc.${domain}`,
      'TXT',
      `v=DMARC1; p=quarantine; rua=mailto:${REPORTS_TO}@${domain}`,
      'How other servers treat forged mail, and where they report it (DMARC)',
    ),
    record(
      `_smtp._tls.${domain}`,
      'TXT',
      `v=TLSRPTv1; rua=mailto:${REPORTS_TO}@${domain}`,
      'Where other servers report failed encryption (TLS-RPT)',
      false,
    ),
    ...(isPublic
      ? [
          record(
            `_mta-sts.${domain}`,
            'TXT',
            `v=STSv1; id=${POLICY_ID}`,
            'Other servers deliver with TLS only (MTA-STS)',
            false,
          ),
        ]
      : []),
    record(`_imaps._tcp.${domain}`, 'SRV', `0 1 993 ${host}.`, 'Finds the server for mail programs', false),
    record(`_pop3s._tcp.${domain}`, 'SRV', `0 1 995 ${host}.`, 'Finds the server for mail programs', false),
    record(`_submissions._tcp.${domain}`, 'SRV', `0 1 465 ${host}.`, 'Finds the server for mail programs', false),
    ...(address
      ? [
          record(`autoconfig.${domain}`, ofHost, address, 'Where Thunderbird finds its settings', false),
          record(
            `mta-sts.${domain}`,
            ofHost,
            address,
            'Where other servers read that TLS is required (MTA-STS)',
            false,
          ),
          record(`autodiscover.${domain}`, ofHost, address, 'Where Outlook finds its settings', false),
        ]
      : []),
    record(`_autodiscover._tcp.${domain}`, 'SRV', `0 1 443 ${host}.`, 'Where Outlook finds its settings', false),
  ]
}

/**
 * Whether the certificate of the mail host is trusted and also covers the host of the policy: without that, a policy
 * would keep mail away.
 */
async function coversPolicy(db: Db, { domain, tlsFingerprint }: MailDomain): Promise<boolean> {
  if (tlsFingerprint === null) return false
  const names = (label: string) => sql.param([`${label}.${domain}`, `*.${domain}`])
  const [found] = await rows(
    db,
    sql`select from certificates where fingerprint = ${tlsFingerprint} and deleted_at is null and kind <> 'self-signed'
      and not_after > now() and names && ${names('mail')}::text[] and names && ${names('mta-sts')}::text[] limit 1`,
  )
  return found !== undefined
}

/** A policy of DMARC that is at least as strict is right, too: people may send reports elsewhere. */
const isStrictDmarc = (content: string) =>
  /^v=DMARC1\s*;/i.test(content) && /;\s*p=(?:quarantine|reject)\b/i.test(content)

/** Prefix of records with the same purpose: a domain has one SPF record, one DMARC record and one key per selector. */
const markOf = ({ type, content }: Pick<WantedRecord, 'type' | 'content'>): string =>
  type === 'TXT' ? (content.split(/[\s;]/, 1)[0] ?? '').toLowerCase() : type

/** The records of a name with the same purpose as the wanted record. A name with a CNAME has no other records. */
export const rivals = (wanted: WantedRecord, there: readonly { type: string; content: string }[]): string[] =>
  there.flatMap(({ type, content }) =>
    type === 'CNAME' ||
    (type === wanted.type && markOf({ type: wanted.type, content: plain(content) }) === markOf(wanted))
      ? [plain(content)]
      : [],
  )

/** TXT content without quotes, with the strings of long texts joined. */
export const plain = (content: string): string =>
  content.startsWith('"') ? content.slice(1, -1).replaceAll('" "', '').replace(/\\(.)/g, '$1') : content

export const isRight = (wanted: WantedRecord, now: readonly string[]): boolean =>
  now.some(
    (content) =>
      content.toLowerCase() === wanted.content.toLowerCase() ||
      (wanted.name.startsWith('_dmarc.') && isStrictDmarc(content)),
  )
