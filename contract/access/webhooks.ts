import * as z from 'zod'
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
  stored,
  version,
  whole,
} from '../kit/endpoint.ts'

export const webhookStates = ['active', 'paused'] as const
/** `dropped`: the owner of the webhook may not read the object any more. */
export const deliveryStates = ['waiting', 'sending', 'delivered', 'failed', 'dropped'] as const
/** Hours for which the old secret of a webhook signs too, at most. */
export const SECRET_OVERLAP_HOURS = 168

/** A receiver that Innkeeper tells of changes. */
export const Webhook = z.object({
  ...stored,
  name: z.string(),
  url: z.string(),
  /** The person or service account whose rights decide which changes are sent. */
  ownerId: z.int(),
  ownerName: z.string(),
  /** Kinds of objects whose changes are sent; empty: all that the owner may read. */
  domains: z.array(z.string()),
  /** Ids of the objects of the one kind whose changes are sent; empty: all. */
  objects: z.array(z.int()),
  /** Departments to which the changed objects belong; empty: all. */
  departments: z.array(z.int()),
  state: z.enum(webhookStates),
  /** Why Innkeeper paused the webhook by itself. */
  pausedBecause: z.string().nullable(),
  /** Since when no message has arrived. */
  failingSince: instant.nullable(),
  lastDeliveredAt: instant.nullable(),
  /** Until when messages are signed with the secret before the last rotation too. */
  oldSecretUntil: instant.nullable(),
  /** Number of messages that wait, and that failed. */
  waiting: z.int(),
  failed: z.int(),
})
export type Webhook = z.output<typeof Webhook>

/** One message to a receiver: this object changed. */
export const Delivery = z.object({
  id: z.int(),
  messageId: z.string(),
  domain: z.string(),
  /** Null: something of this kind changed. */
  objectId: z.int().nullable(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  changedAt: instant,
  /** When the next attempt is due. */
  nextAt: instant.nullable(),
  endedAt: instant.nullable(),
  status: z.int().nullable(),
})
export type Delivery = z.output<typeof Delivery>

/** One attempt to send a message. */
export const Attempt = z.object({
  at: instant,
  ms: z.int(),
  status: z.int().nullable(),
  /** The beginning of the answer. */
  body: z.string().nullable(),
  error: z.string().nullable(),
})
export type Attempt = z.output<typeof Attempt>

/** An address that people can read: nothing in it is hidden before an @, and nothing is left out behind a #. */
function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password, hash } = new URL(text)
  return !username && !password && !hash
}

const fields = {
  name: line(80),
  url: z
    .string()
    .trim()
    .max(500)
    .regex(/^https?:\/\/[!-~]+$/, 'An address such as https://ci.example/hook')
    .refine((text) => isPlainAddress(text), 'An address without a name, a password or a #'),
  /** Default: the caller. */
  ownerId: id.optional(),
  domains: z
    .array(z.string().regex(/^[A-Za-z]{1,60}$/, 'The name of a kind of object'))
    .max(200)
    .default([]),
  objects: z.array(id).max(100).default([]),
  departments: z.array(id).max(200).default([]),
}
const Made = z.object({ webhook: Webhook, secret: z.string() })

export const webhooks = {
  list: get('/webhooks', 'api:webhook:read', {
    summary: 'Webhooks',
    query: {
      ...listQuery(['name', 'createdAt']),
      search: filter(z.string().trim().max(80)),
      state: filter(z.enum(webhookStates)),
      owner: filter(csv(id)),
    },
    returns: pageOf(Webhook),
  }),
  kinds: get('/webhooks/kinds', 'api:webhook:read', {
    summary: 'Kinds of objects whose changes can be sent, and those that the caller may read',
    returns: z.object({
      items: z.array(z.object({ name: z.string(), mayRead: z.boolean(), hasDepartments: z.boolean() })),
      total: z.int(),
    }),
  }),
  one: get('/webhooks/:id', 'api:webhook:read', { summary: 'One webhook', returns: Webhook }),
  create: post('/webhooks', 'api:webhook:create', {
    summary: 'Create a webhook; only this answer contains its secret',
    body: fields,
    returns: Made,
  }),
  update: patch('/webhooks/:id', 'api:webhook:update', {
    summary: 'Change, pause or resume a webhook',
    body: {
      name: fields.name.optional(),
      url: fields.url.optional(),
      ownerId: fields.ownerId,
      domains: fields.domains.unwrap().optional(),
      objects: fields.objects.unwrap().optional(),
      departments: fields.departments.unwrap().optional(),
      state: z.enum(webhookStates).optional(),
      version,
    },
    returns: Webhook,
  }),
  rotate: post('/webhooks/:id/secret', 'api:webhook:update', {
    summary: 'Make a new secret; messages are signed with the old one too for some hours',
    body: { oldValidHours: whole(0, SECRET_OVERLAP_HOURS).default(24) },
    status: 200,
    returns: Made,
  }),
  test: post('/webhooks/:id/test', 'api:webhook:update', {
    summary: 'Send a message of the kind `ping`',
    status: 202,
    returns: Delivery,
  }),
  remove: del('/webhooks/:id', 'api:webhook:delete', {
    summary: 'Delete a webhook with its messages',
    body: { version },
    status: 204,
  }),
  deliveries: get('/webhooks/:id/deliveries', 'api:webhook:read', {
    summary: 'Messages of a webhook, newest first',
    query: {
      ...paging(),
      state: filter(z.enum(deliveryStates)),
      domain: filter(z.string().max(60)),
    },
    returns: pageOf(Delivery),
  }),
  attempts: get('/webhooks/:id/deliveries/:delivery', 'api:webhook:read', {
    summary: 'A message with its attempts',
    returns: z.object({ delivery: Delivery, attempts: z.array(Attempt), payload: z.string() }),
  }),
  resend: post('/webhooks/:id/deliveries/:delivery/resend', 'api:webhook:update', {
    summary: 'Send a message again',
    status: 202,
    returns: Delivery,
  }),
}
