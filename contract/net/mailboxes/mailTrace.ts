import * as z from 'zod'
import { instant } from '../../kit/endpoint.ts'

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
