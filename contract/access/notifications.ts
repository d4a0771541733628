import * as z from 'zod'
import { filter, get, id, instant, line, pageFields, paging, patch } from '../kit/endpoint.ts'

/** Reasons of notifications, with the labels that settings show. */
export const reasons = {
  workflow: 'Work I started',
  server: 'Servers I look after',
  website: 'Websites that are down',
  disk: 'Disk limits',
  backup: 'Backups',
  events: 'Events I take part in',
  certificate: 'Certificates',
  rights: 'My rights',
  handover: 'Handed over to me',
  leave: 'Leaves',
  shifts: 'My shifts',
  quality: 'Support quality',
  tracker: 'Bugs, features and tickets',
  sms: 'Text messages',
  files: 'Files shared with me, and mine',
  log: 'A changed action log',
  programs: 'My tokens and webhooks',
  health: 'Innkeeper itself',
} as const
export const Reason = z.enum(Object.keys(reasons) as [Reason, ...Reason[]]) // keys of our own constant
export type Reason = keyof typeof reasons

/** Delivery of a reason: a notice on the screen (`toast`), only in the list, or none. */
export const Delivery = z.enum(['toast', 'list', 'off'])
export type Delivery = z.output<typeof Delivery>
/** Reasons that nobody can turn off: people must learn of changed permissions, transferred work and a changed log. */
export const owed: readonly Reason[] = ['rights', 'handover', 'log']

export const levels = ['info', 'success', 'warning', 'error'] as const
/** Days after which a notification is deleted, read or not. */
export const KEPT_DAYS = 90

export const Notification = z.object({
  _id: z.int(),
  reason: Reason,
  level: z.enum(levels),
  title: z.string(),
  body: z.string(),
  /** Path of the page in the app. */
  link: z.string().nullable(),
  date: instant,
  readAt: instant.nullable(),
  /** Delivered without a notice, because of quiet hours or the person's settings. */
  silent: z.boolean(),
})
export type Notification = z.output<typeof Notification>

export const notifications = {
  list: get('/employee-controller/notifications', 'signedIn', {
    summary: 'The caller’s notifications, newest first, with the number of unread ones',
    query: {
      ...paging(),
      search: filter(line(100)),
      reason: filter(Reason),
      level: filter(z.enum(levels)),
      unread: filter(z.enum(['true', 'false'])),
    },
    returns: z.object({
      items: z.array(Notification),
      ...pageFields,
      /** Unread notifications regardless of filters; 100 means more than 99. */
      unread: z.int().max(100),
    }),
  }),
  read: patch('/employee-controller/notifications/:id', 'signedIn', {
    summary: 'Mark a notification as read or unread; `older` also marks all earlier ones',
    params: { id },
    body: { read: z.boolean().default(true), older: z.boolean().default(false) },
    returns: Notification,
  }),
}
