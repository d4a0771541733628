import type { MailStatus } from '@innkeeper/contract/net/mailboxes/mail'
import { invalid } from '../../kit/http/errors.ts'

export interface WantedStatus {
  status?: MailStatus | undefined
  reason?: string | undefined
  until?: string | undefined
}

interface Ask {
  /** True: a reason is not required, because the specification's toggle sends only a status. */
  mayLackReason?: boolean
}

/** Columns of a requested status. 400 beside the field for a status without a reason, or an end in the past. */
export function statusOf({ status, reason = '', until }: WantedStatus, now: Date, { mayLackReason }: Ask = {}) {
  if (status === undefined) {
    if (reason || until !== undefined) throw invalid({ status: 'Required with a reason or an end' })
    return {}
  }
  if (status === 'active') {
    if (until !== undefined) throw invalid({ until: 'An active status has no end' })
    return { status, reason: '', until: null }
  }
  if (!reason && !mayLackReason) throw invalid({ reason: 'Required, so that everybody knows why' })
  if (until !== undefined && Date.parse(until) <= now.getTime()) throw invalid({ until: 'Is past' })
  return { status, reason, until: until === undefined ? null : new Date(until).toISOString() }
}
