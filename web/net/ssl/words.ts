import type { Attempt, Certificate, CertificateKind, Limit, RevocationReason } from '@innkeeper/contract/net/ssl/shapes'
import { ago, count, counted, longDay, moment } from '../../kit/look/format.ts'

export const kindWords: Record<CertificateKind, string> = {
  'lets-encrypt': 'Let’s Encrypt',
  'self-signed': 'Self-signed',
  custom: 'From elsewhere',
}
export const kindOptions = Object.entries(kindWords).map(([value, label]) => ({ value, label }))

const revocations: Record<RevocationReason, string> = {
  keyCompromise: 'its key may be known to others',
  superseded: 'another one has taken its place',
  cessationOfOperation: 'its website no longer exists',
  affiliationChanged: 'it belongs to somebody else now',
  unspecified: 'without a stated reason',
}
export const revocationOptions = Object.entries(revocations).map(([value, why]) => ({
  value,
  label: `Revoked: ${why}`,
}))

const DAY = 86_400_000
/** "61 days", "Ended 3 days ago", or "" without a certificate. */
export function daysLeft(notAfter: string | null, now = Date.now()): string {
  if (!notAfter) return ''
  const days = Math.floor((Date.parse(notAfter) - now) / DAY)
  return days >= 0 ? counted(days, ['day', 'days']) : `Ended ${counted(-days, ['day', 'days'])} ago`
}

/** When a certificate renews itself, in a few words: one that should have been renewed is overdue. */
export function renewalShort(
  { autoRenew, renewAt }: Pick<Certificate, 'autoRenew' | 'renewAt'>,
  now = Date.now(),
): string {
  if (!autoRenew) return 'by hand'
  if (!renewAt) return ''
  return Date.parse(renewAt) <= now ? 'overdue' : longDay(renewAt)
}

/** Describes the planned renewal in one sentence. */
export function renewalWords({ kind, autoRenew, renewAt, failures }: Certificate, now = Date.now()): string {
  if (kind === 'custom') return 'Not automatic: upload the next one before it expires'
  if (!autoRenew) return 'Not automatic: switched off'
  if (!renewAt) return 'With its first installation'
  const again = failures ? `, tried ${counted(failures, ['time', 'times'])} in vain` : ''
  return Date.parse(renewAt) <= now ? `Due since ${ago(renewAt)}${again}` : `${moment(renewAt)}${again}`
}

export const outcomeWords: Record<Attempt['outcome'], { state: string; label: string }> = {
  running: { state: 'running', label: 'Being ordered' },
  issued: { state: 'ready', label: 'Issued' },
  'in-use': { state: 'active', label: 'In use' },
  failed: { state: 'failed', label: 'Failed' },
  replaced: { state: 'done', label: 'Replaced' },
  unused: { state: 'rolled-back', label: 'Taken back' },
}

const limitNames: Record<Limit['limit'], (about: string | null) => string> = {
  orders: () => 'Orders of this account',
  domain: (about) => `New certificates for ${about}`,
  identical: (about) => `Certificates for just ${about}`,
  failures: (about) => `Failures of ${about}`,
}
/** "Orders of this account: 12 of 300 in 3 hours". */
export const limitWords = ({ limit, about, used, most, hours }: Limit): string =>
  `${limitNames[limit](about)}: ${count(used)} of ${count(most)} in ${hours >= 48 ? `${hours / 24} days` : counted(hours, ['hour', 'hours'])}`

/** "shop.example, www.shop.example and 3 more". */
export const someOf = (names: readonly string[], most = 2): string =>
  names.length > most ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ')

/** Parses names separated by commas, spaces or lines. */
export const namesTyped = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
