import * as z from 'zod'
import { filter, get, instant, post, whole } from '../../kit/endpoint.ts'
import { mailAddress, queueId } from './mail.ts'

/** The history of one message, in order. */
export const MailStory = z.object({
  /** The queue id; null for a message that was refused immediately. */
  id: z.string().nullable(),
  at: instant,
  from: z.string().nullable(),
  to: z.array(z.string()),
  /** `deleted`: somebody deleted the message from the queue. */
  outcome: z.enum(['delivered', 'sent', 'bounced', 'refused', 'deleted', 'waiting', 'unknown']),
  steps: z.array(z.object({ at: instant, what: z.string(), text: z.string() })),
  /** Number of lines that are left out, for a message with very many recipients. */
  leftOut: z.int(),
})
export type MailStory = z.output<typeof MailStory>

export const QueuedMail = z.object({
  id: z.string(),
  queue: z.string(),
  at: instant,
  bytes: z.number(),
  sender: z.string(),
  recipients: z.array(z.object({ address: z.string(), why: z.string().nullable() })),
})
export type QueuedMail = z.output<typeof QueuedMail>

export const traceCalls = {
  trace: get('/mailbox/mailboxes/:id/trace', 'mailbox:trace:read', {
    summary: 'Where mail of a domain went: by address or message id, from the logs of its server',
    live: true,
    query: {
      /** Default: the whole domain. */
      address: filter(mailAddress),
      messageId: filter(
        z
          .string()
          .trim()
          .regex(/^[\x21-\x7e]{3,250}$/, 'The message id of a mail'),
      ),
      days: filter(whole(1, 10)),
    },
    /** `more`: older messages match, too, and are not answered. */
    returns: z.object({ items: z.array(MailStory), total: z.int(), more: z.boolean(), at: instant }),
  }),
  queue: get('/mailbox/queue/:server', 'mailbox:queue:read', {
    summary: 'Messages that wait in the queue of a mail server, oldest first',
    live: true,
    returns: z.object({ items: z.array(QueuedMail), total: z.int(), at: instant }),
  }),
  actOnQueue: post('/mailbox/queue/:server', 'mailbox:queue:update', {
    summary: 'Retry, hold, release or delete a queued message; the action log records it',
    body: { queueId, act: z.enum(['retry', 'hold', 'release', 'delete']) },
    live: true,
    effect: 'stream',
    status: 204,
  }),
}
