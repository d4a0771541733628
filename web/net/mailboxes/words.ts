import type { Mailbox, MailboxUser } from '@innkeeper/contract/net/mailboxes/calls'
import { megabytes, moment } from '../../kit/look/format.ts'

export const statuses = [
  { value: 'active', label: 'Active: sends and receives' },
  { value: 'receive-only', label: 'Receives only: nothing can be sent' },
  { value: 'disabled', label: 'Disabled: mail is refused, and nobody signs in' },
]

/** The status that counts: what the server has not applied is not true yet, and a suspended website disables its mail. */
export const shownStatus = ({ status, suspended, state }: Pick<Mailbox, 'status' | 'suspended' | 'state'>): string =>
  state === 'applied' ? userStatus({ status, suspended, stoppedAt: null }) : state

/** The status that counts for a mailbox: a suspended website disables it, and its server may have stopped it from sending. */
export const userStatus = ({
  status,
  suspended,
  stoppedAt,
}: Pick<MailboxUser, 'status' | 'suspended' | 'stoppedAt'>): string =>
  suspended ? 'suspended' : status === 'active' && stoppedAt ? 'sending-stopped' : status

/** Why a mail domain or mailbox is not active, and until when. */
export const whyNot = ({
  status,
  reason,
  until,
}: Pick<MailboxUser, 'status' | 'reason' | 'until'>): string | undefined =>
  status === 'active' ? undefined : `${reason}${until ? `, until ${moment(until)}` : ''}`

/** Why a mail domain cannot be changed now; undefined if it can. */
export const notChangeable = ({ domain, state }: Pick<Mailbox, 'domain' | 'state'>): string | undefined =>
  state === 'deleting' ? `${domain} is being deleted.` : undefined

/** "412 MB of 1 GB", with a dash for a mailbox that was not measured. */
export const usage = ({ usedMb, quotaMb }: { usedMb: number | null; quotaMb: number }): string =>
  `${usedMb === null ? '–' : size(usedMb)} of ${size(quotaMb)}`

export const size = megabytes

/** "5 GB" for 5120 MB, shown below a field that takes MB; undefined below one GB. */
export const inGb = (mb: number): string | undefined => (mb >= 1024 ? size(mb) : undefined)
