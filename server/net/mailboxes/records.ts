import { isIPv6 } from 'node:net'
import type { MailRecord } from '@innkeeper/contract/net/mailboxes/mailRecords'
import { eq } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
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
    record(`_dmarc.${domain}`, 'TXT', 'v=DMARC1; p=none', 'How other servers treat forged mail (DMARC)'),
    record(`_imaps._tcp.${domain}`, 'SRV', `0 1 993 ${host}.`, 'Finds the server for mail programs', false),
    record(`_pop3s._tcp.${domain}`, 'SRV', `0 1 995 ${host}.`, 'Finds the server for mail programs', false),
    record(`_submissions._tcp.${domain}`, 'SRV', `0 1 465 ${host}.`, 'Finds the server for mail programs', false),
    ...(address
      ? [
          record(`autoconfig.${domain}`, ofHost, address, 'Where Thunderbird finds its settings', false),
          record(`autodiscover.${domain}`, ofHost, address, 'Where Outlook finds its settings', false),
        ]
      : []),
    record(`_autodiscover._tcp.${domain}`, 'SRV', `0 1 443 ${host}.`, 'Where Outlook finds its settings', false),
  ]
}

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
  now.some((content) => content.toLowerCase() === wanted.content.toLowerCase())
