import * as z from 'zod'
import { del, get, id, instant, post } from '../kit/endpoint.ts'

export const troubleLevels = ['warning', 'error'] as const
export const alertChannels = ['mail', 'sms', 'webhook'] as const
export type AlertChannel = (typeof alertChannels)[number]

/** A fault of Innkeeper itself. */
export const Trouble = z.object({
  id: z.int(),
  title: z.string(),
  detail: z.string(),
  level: z.enum(troubleLevels),
  link: z.string().nullable(),
  since: instant,
  endedAt: instant.nullable(),
})
export type Trouble = z.output<typeof Trouble>

/** A process of Innkeeper. */
export const Node = z.object({
  id: z.int(),
  name: z.string(),
  roles: z.array(z.string()),
  version: z.string(),
  startedAt: instant,
  at: instant,
  isGone: z.boolean(),
  late: z.array(z.string()),
  diskFree: z.number(),
  diskTotal: z.number(),
  clockMs: z.int(),
})
export type Node = z.output<typeof Node>

/** A way by which alerts leave Innkeeper, as the settings of the machine name it. */
export const Channel = z.object({
  channel: z.enum(alertChannels),
  /** The recipients; of a webhook only its host, because the address may have a secret. */
  to: z.string(),
  sentAt: instant.nullable(),
  /** Alerts that have not left, and since when. */
  waiting: z.int(),
  waitingSince: instant.nullable(),
  error: z.string().nullable(),
})
export type Channel = z.output<typeof Channel>

/** The address that hears that Innkeeper is well, without its path, which may be a secret. */
export const Heartbeat = z.object({
  to: z.string(),
  everySeconds: z.int(),
  sentAt: instant.nullable(),
  failingSince: instant.nullable(),
  error: z.string().nullable(),
})
export type Heartbeat = z.output<typeof Heartbeat>

export const LogStream = z.object({
  to: z.string(),
  /** Older rows are not sent. Null: nothing has begun. */
  since: instant.nullable(),
  sentAt: instant.nullable(),
  failingSince: instant.nullable(),
  error: z.string().nullable(),
  /** Rows that the receiver lacks, and for how long the oldest of them has waited. */
  rows: z.number(),
  seconds: z.number(),
})
export type LogStream = z.output<typeof LogStream>

const base = '/operation'
export const operation = {
  health: get(base, 'operation:health:read', {
    summary: 'Faults of Innkeeper itself, its processes, and how it alerts people',
    returns: z.object({
      open: z.array(Trouble),
      /** The latest faults that have ended. */
      ended: z.array(Trouble),
      nodes: z.array(Node),
      channels: z.array(Channel),
      heartbeat: Heartbeat.nullable(),
      logStream: LogStream.nullable(),
    }),
  }),
  test: post(`${base}/test-alert`, 'operation:health:update', {
    summary: 'Send a test alert by every channel, and to the caller’s bell',
    returns: z.object({ channels: z.array(z.enum(alertChannels)) }),
  }),
  forget: del(`${base}/nodes/:id`, 'operation:health:update', {
    summary: 'Remove a stopped process from the list, which ends its alert',
    params: { id },
  }),
}
