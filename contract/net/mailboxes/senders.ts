import * as z from 'zod'
import { csv, filter, get, id, instant, listQuery, pageOf, post } from '../../kit/endpoint.ts'

/** Who sends from a mail server: a mailbox, or the account of a website with its programs. */
export const MailSender = z.object({
  id: z.int(),
  sender: z.string(),
  serverId: z.int(),
  serverName: z.string(),
  mailboxUserId: z.int().nullable(),
  systemUserId: z.int().nullable(),
  /** Recipients an hour; null: the mailbox or account does not exist any more. */
  limit: z.int().nullable(),
  /** Recipients of the last hour and day. */
  hour: z.int(),
  day: z.int(),
  /** Recipients that were refused in the last hour. */
  refused: z.int(),
  /** Since when everything of the sender is refused, until somebody lifts the stop; null: not stopped. */
  stoppedAt: instant.nullable(),
  /** The recipients that the sender had tried in that hour. */
  tried: z.int(),
  /** True: the mail that was queued at the stop is held. */
  held: z.boolean(),
})
export type MailSender = z.output<typeof MailSender>

export const senderCalls = {
  senders: get('/mailbox/senders', 'mailbox:queue:read', {
    summary: 'Who sent mail in the last day, by server, stopped senders, and their limits',
    query: {
      ...listQuery(['day', 'hour', 'refused', 'sender']),
      search: filter(z.string().trim().max(120)),
      server: filter(csv(id)),
      stopped: filter(csv(z.enum(['yes', 'no']))),
    },
    returns: pageOf(MailSender),
  }),
  liftStop: post('/mailbox/senders/:id/lift', 'mailbox:queue:update', {
    summary: 'Lift the stop of a sender, and send or delete the mail that is held; the action log records it',
    body: { held: z.enum(['send', 'delete']) },
    live: true,
    effect: 'stream',
    status: 204,
  }),
}
