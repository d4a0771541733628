import * as z from 'zod'
import { levels, Reason } from '../../access/notifications.ts'
import { timeZone } from '../../access/profiles.ts'
import {
  csv,
  del,
  filter,
  get,
  id,
  instant,
  line,
  listQuery,
  pageOf,
  paging,
  patch,
  post,
  version,
  whole,
} from '../../kit/endpoint.ts'
import { prose } from '../../quality/qc/values.ts'
import { gateways, SmsSettings } from './settings.ts'
import {
  batchKinds,
  messageStatuses,
  SmsBatch,
  SmsMessage,
  SmsOptOut,
  SmsPreview,
  SmsReply,
  SmsTemplate,
} from './shapes.ts'
import { tidy, toE164 } from './text.ts'

export * from './settings.ts'
export * from './shapes.ts'

/** SMS: specification people §2 Other areas, §3 SMS template and message, §7 SMS. */
const base = '/sms'

/** Maximum: ten segments of UCS-2; gateways refuse longer texts. */
const text = z.string().max(2000).transform(tidy).pipe(z.string().min(1, 'Required').max(1530))
const slug = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9-]{0,58}[a-z0-9]$/, 'Lower-case letters, digits and hyphens, a letter first')
  .refine((name) => name !== 'create', 'This name is reserved')
const placeholder = z.string().regex(/^[a-zA-Z][a-zA-Z0-9]{0,39}$/, 'Letters and digits, a letter first')
/** A number in E.164; may be typed with spaces, hyphens and 00. */
const number = z
  .string()
  .max(40)
  .transform((typed) => toE164(typed) ?? '')
  .pipe(z.string().min(1, 'A number with its country code, such as +47 22 00 00 00'))
const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'A time of day, such as 22:00')
const numbers = z.union([number.transform((one) => [one]), z.array(number).max(10_000)])

const templateFields = {
  description: prose(300).optional(),
  placeholders: z.array(placeholder).max(20).optional(),
}
/** Recipients and text of a message. */
const sending = {
  to: numbers.optional(),
  users: z.array(id).max(2000).optional(),
  departments: z.array(id).max(100).optional(),
  /** Departments whose people on shift get the message, found when it is sent; 0: all departments. */
  shifts: z.array(whole(0, 2_147_483_647)).max(100).optional(),
  body: text.optional(),
  templateName: slug.optional(),
  values: z.record(placeholder, z.string().max(300).transform(tidy)).optional(),
  /** A future time: recipients are found only then. */
  sendAt: instant.nullable().optional(),
  /** True: also sent during quiet hours. */
  urgent: z.boolean().optional(),
}

/** Null clears a text. */
const settingsFields = {
  gateway: z.enum(gateways).optional(),
  url: z
    .union([
      z.literal(''),
      z.url({ protocol: /^https?$/, error: 'An address such as http://127.0.0.1:13013' }).max(300),
    ])
    .nullable()
    .optional(),
  username: z
    .string()
    .regex(/^[\x21-\x7e]{0,60}$/, 'Letters, digits and signs without spaces')
    .nullable()
    .optional(),
  /** Password or token of the gateway; stored encrypted and never shown. */
  secret: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'Letters, digits and signs without spaces')
    .optional(),
  sender: z
    .string()
    .trim()
    .regex(/^(?:\+?\d{1,15}|[A-Za-z0-9 ]{1,11}|)$/, 'A number, or at most 11 letters and digits')
    .nullable()
    .optional(),
  publicUrl: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ }).max(200)])
    .nullable()
    .optional(),
  countryCode: z
    .string()
    .regex(/^\+[1-9]\d{0,3}$/, 'A country code, such as +47')
    .nullable()
    .optional(),
  quietFrom: clock.nullable().optional(),
  quietTo: clock.nullable().optional(),
  timeZone: timeZone.optional(),
  perDay: whole(1, 1000).optional(),
  price: z.number().min(0).max(100).nullable().optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'Three letters, such as EUR')
    .optional(),
  maxAttempts: whole(1, 10).optional(),
  alertReasons: z.array(Reason).max(30).optional(),
  alertLevel: z.enum(levels).optional(),
  alertDepartments: z.array(id).max(100).optional(),
  fallbackIds: z.array(id).max(20).optional(),
  escalateMinutes: whole(0, 240).optional(),
}
/** The secret key in the address that a gateway calls. */
const key = z.string().regex(/^[\w-]{32}$/, 'Not a key of a gateway')
/**
 * Words of a recipient, an operator or a gateway. Longer ones are cut: a refused answer or report would be lost, a STOP
 * with it.
 */
const said = (most: number) => z.string().transform((text) => tidy(text.slice(0, most)))

export const sms = {
  createTemplate: post(`${base}/templates`, 'sms:template:create', {
    summary: 'Create a template; its placeholders are those of its text unless they are given',
    body: { name: slug, body: text, ...templateFields },
    returns: SmsTemplate,
  }),
  templates: get(`${base}/templates`, 'sms:template:read', {
    summary: 'Templates',
    query: { ...listQuery(['name', 'createdAt']), search: filter(line(100)) },
    returns: pageOf(SmsTemplate),
  }),
  template: get(`${base}/templates/:name`, 'sms:template:read', {
    summary: 'One template by its name',
    params: { name: slug },
    returns: SmsTemplate,
  }),
  updateTemplate: patch(`${base}/templates/:name`, 'sms:template:update', {
    summary: 'Change a template; messages that were made from it keep their text',
    params: { name: slug },
    body: { body: text.optional(), ...templateFields, version },
    returns: SmsTemplate,
  }),
  removeTemplate: del(`${base}/templates/:name`, 'sms:template:delete', {
    summary: 'Delete a template; scheduled messages keep their text',
    params: { name: slug },
    body: { version },
  }),
  send: post(`${base}/messages`, 'sms:message:create', {
    summary: 'Send a text to numbers, people, departments or people on shift, now or later',
    body: {
      ...sending,
      /** Chosen by the client. A repeated key sends nothing and answers the first send. */
      requestKey: z
        .string()
        .regex(/^[\w-]{8,64}$/)
        .optional(),
    },
    returns: SmsBatch,
  }),
  preview: post(`${base}/messages/preview`, 'sms:message:create', {
    summary: 'Dry run: recipients, texts, segments and cost; nothing is sent',
    effect: 'read',
    status: 200,
    body: sending,
    returns: SmsPreview,
  }),
  messages: get(`${base}/messages`, 'sms:message:read', {
    summary: 'Messages, newest first',
    query: {
      ...listQuery(['createdAt']),
      search: filter(line(100)),
      status: filter(csv(z.enum(messageStatuses))),
      kind: filter(csv(z.enum(batchKinds))),
      /** Messages that were sent, without a delivery report of the gateway so far. */
      report: filter(z.enum(['missing'])),
      batchId: filter(id),
      userId: filter(csv(id)),
    },
    returns: pageOf(SmsMessage),
  }),
  message: get(`${base}/messages/:id`, 'sms:message:read', { summary: 'One message', returns: SmsMessage }),
  cancelMessage: post(`${base}/messages/:id/cancel`, 'sms:message:create', {
    summary: 'Cancel a message that is still queued',
    status: 200,
    returns: SmsMessage,
  }),
  again: post(`${base}/messages/:id/again`, 'sms:message:create', {
    summary: 'Send the text of a failed, undelivered or cancelled message again, as a new message',
    returns: SmsBatch,
  }),
  batches: get(`${base}/batches`, 'sms:message:read', {
    summary: 'Sends, each with its messages by status; scheduled sends too',
    query: {
      ...listQuery(['createdAt']),
      kind: filter(csv(z.enum(batchKinds))),
      open: filter(z.enum(['true', 'false'])),
    },
    returns: pageOf(SmsBatch),
  }),
  cancelBatch: post(`${base}/batches/:id/cancel`, 'sms:message:create', {
    summary: 'Cancel a scheduled send, and all of its messages that are still queued',
    status: 200,
    returns: SmsBatch,
  }),
  acknowledge: post(`${base}/batches/:id/acknowledge`, 'signedIn', {
    summary: 'Acknowledge a received alert here instead of by SMS',
    status: 200,
    returns: SmsBatch,
  }),
  replies: get(`${base}/replies`, 'sms:message:read', {
    summary: 'Answers to messages, newest first',
    query: { ...paging() },
    returns: pageOf(SmsReply),
  }),
  recipients: get(`${base}/recipients`, 'sms:message:create', {
    summary: 'People and departments to choose from, and how many are on shift now',
    query: { search: filter(line(100)) },
    returns: z.object({
      items: z.array(
        z.object({ kind: z.enum(['person', 'department', 'shift']), id: z.int(), name: z.string(), hint: z.string() }),
      ),
    }),
  }),
  settings: get(`${base}/settings`, 'sms:settings:update', {
    summary: 'Gateway, limits and alerts',
    returns: SmsSettings,
  }),
  updateSettings: patch(`${base}/settings`, 'sms:settings:update', {
    summary: 'Change gateway, limits and alerts',
    body: { ...settingsFields, version },
    returns: SmsSettings,
  }),
  renewKey: post(`${base}/settings/key`, 'sms:settings:update', {
    summary: 'Make a new key for the gateway: answers the address for replies, shown once; the former key ends',
    returns: z.object({ replyUrl: z.string() }),
  }),
  test: post(`${base}/settings/test`, 'sms:settings:update', {
    summary: 'Send a test message to a number',
    body: { to: number },
    returns: SmsBatch,
  }),
  optOuts: get(`${base}/opt-outs`, 'sms:message:read', {
    summary: 'Numbers that get no messages',
    query: { ...paging(), search: filter(line(40)) },
    returns: pageOf(SmsOptOut),
  }),
  addOptOut: post(`${base}/opt-outs`, 'sms:message:create', {
    summary: 'Opt a number out, so that it gets no more messages',
    body: { number, note: prose(300).optional() },
    returns: SmsOptOut,
  }),
  removeOptOut: del(`${base}/opt-outs/:id`, 'sms:settings:update', {
    summary: 'Opt a number in again at the request of its owner',
  }),
  report: get(`${base}/callbacks/report`, 'public', {
    summary: 'Delivery report of the gateway, authorised by the key in the address',
    query: {
      key,
      id,
      status: said(40),
      answer: said(2000).optional(),
      providerId: said(200).optional(),
    },
    returns: z.object({ status: z.string() }),
  }),
  reply: get(`${base}/callbacks/reply`, 'public', {
    summary: 'Answer of a recipient from the gateway, authorised by the key in the address',
    query: { key, from: said(40), text: said(2000), ref: said(200).optional() },
    returns: z.object({ effect: SmsReply.shape.effect }),
  }),
}
