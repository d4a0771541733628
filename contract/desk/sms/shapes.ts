import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'

export const messageStatuses = ['queued', 'sent', 'delivered', 'undelivered', 'failed', 'cancelled'] as const
export type MessageStatus = (typeof messageStatuses)[number]
export const batchKinds = ['message', 'alert', 'test'] as const
export const encodings = ['GSM-7', 'UCS-2'] as const

export const SmsTemplate = z.object({
  ...stored,
  name: z.string(),
  description: z.string(),
  body: z.string(),
  /** Names for which a message gives values; firstName, lastName and name come from the recipient. */
  placeholders: z.array(z.string()),
  encoding: z.enum(encodings),
  /** Segments of the text as it is written; values may add some. */
  segments: z.int(),
})
export type SmsTemplate = z.output<typeof SmsTemplate>

export const SmsMessage = z.object({
  id: z.int(),
  version: z.int(),
  createdAt: instant,
  /** The number; for a colleague only its last digits, unless the caller may see profiles. */
  to: z.string(),
  userId: z.int().nullable(),
  userName: z.string().nullable(),
  body: z.string(),
  templateName: z.string().nullable(),
  kind: z.enum(batchKinds),
  batchId: z.int(),
  encoding: z.enum(encodings),
  segments: z.int(),
  status: z.enum(messageStatuses),
  /** Why the message failed or was not delivered, as text. */
  reason: z.string().nullable(),
  errorCode: z.string().nullable(),
  providerId: z.string().nullable(),
  attempts: z.int(),
  /** Earliest time of sending, because of a schedule, quiet hours or the next attempt. */
  notBefore: instant.nullable(),
  sentAt: instant.nullable(),
  endedAt: instant.nullable(),
  cost: z.number().nullable(),
  by: z.string().nullable(),
})
export type SmsMessage = z.output<typeof SmsMessage>

export const SmsBatch = z.object({
  id: z.int(),
  createdAt: instant,
  kind: z.enum(batchKinds),
  body: z.string(),
  templateName: z.string().nullable(),
  /** Null: at once. */
  sendAt: instant.nullable(),
  /** Null: the recipients are found when the send is due. */
  expandedAt: instant.nullable(),
  /** Number of messages by status. */
  counts: z.object({
    ...{ queued: z.int(), sent: z.int(), delivered: z.int() },
    ...{ undelivered: z.int(), failed: z.int(), cancelled: z.int() },
  }),
  segments: z.int(),
  cost: z.number().nullable(),
  acknowledgedBy: z.string().nullable(),
  acknowledgedAt: instant.nullable(),
  escalatedAt: instant.nullable(),
  link: z.string().nullable(),
  by: z.string().nullable(),
})
export type SmsBatch = z.output<typeof SmsBatch>

export const SmsRecipient = z.object({
  userId: z.int().nullable(),
  name: z.string(),
  to: z.string(),
  text: z.string(),
  encoding: z.enum(encodings),
  characters: z.int(),
  segments: z.int(),
  /** End of the quiet hours of the recipient. */
  notBefore: instant.nullable(),
  /** Why this recipient gets no message. */
  skipped: z.string().nullable(),
})
export type SmsRecipient = z.output<typeof SmsRecipient>

export const SmsPreview = z.object({
  /** At most 1,000 recipients; the counts include all. */
  recipients: z.array(SmsRecipient),
  messages: z.int(),
  skipped: z.int(),
  segments: z.int(),
  cost: z.number().nullable(),
  currency: z.string(),
})
export type SmsPreview = z.output<typeof SmsPreview>

export const SmsOptOut = z.object({
  id: z.int(),
  /** For a colleague only its last digits, unless the caller may see profiles. */
  number: z.string(),
  source: z.enum(['answer', 'staff']),
  note: z.string(),
  createdAt: instant,
  by: z.string().nullable(),
})
export type SmsOptOut = z.output<typeof SmsOptOut>

export const SmsReply = z.object({
  id: z.int(),
  from: z.string(),
  userName: z.string().nullable(),
  text: z.string(),
  at: instant,
  /** Effect of the answer: an alert was acknowledged, the number was opted out or in, or nothing. */
  effect: z.enum(['acknowledged', 'opted-out', 'opted-in', 'none']),
})
export type SmsReply = z.output<typeof SmsReply>
