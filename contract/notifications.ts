import * as z from 'zod'
import { filter, get, id, instant, line, pageFields, paging, patch } from './kit.ts'

/** Why somebody is told, in the words of the list: what a person can want or not. */
export const reasons = {
  workflow: 'Work I started',
  server: 'Servers I look after',
  disk: 'Disk limits',
  events: 'Events I take part in',
  certificate: 'Certificates',
  rights: 'My rights',
  handover: 'Handed over to me',
  leave: 'Leaves',
  shifts: 'My shifts',
} as const
export const Reason = z.enum(Object.keys(reasons) as [Reason, ...Reason[]]) // keys of our own constant
export type Reason = keyof typeof reasons

/** How one is told of a reason: with a notice on the screen, in the list alone, or not at all. */
export const Delivery = z.enum(['toast', 'list', 'off'])
export type Delivery = z.output<typeof Delivery>
/** What nobody can turn off: whose rights changed has to be able to find out. */
export const owed: readonly Reason[] = ['rights', 'handover']

export const levels = ['info', 'success', 'warning', 'error'] as const
/** Days after which a notification goes, read or not. */
export const KEPT_DAYS = 90

export const Notification = z.object({
  _id: z.int(),
  reason: Reason,
  level: z.enum(levels),
  title: z.string(),
  body: z.string(),
  /** A path of the app. */
  link: z.string().nullable(),
  date: instant,
  readAt: instant.nullable(),
  /** It came without a notice: quiet hours, or wanted in the list alone. */
  silent: z.boolean(),
})
export type Notification = z.output<typeof Notification>

export const notifications = {
  list: get('/employee-controller/notifications', 'signedIn', {
    summary: 'One’s own notifications, newest first, and how many are unread',
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
      /** Of all, whatever the filters; 100 stands for more than 99. */
      unread: z.int().max(100),
    }),
  }),
  read: patch('/employee-controller/notifications/:id', 'signedIn', {
    summary: 'Mark one as read or unread; `older` marks all that came before it too',
    params: { id },
    body: { read: z.boolean().default(true), older: z.boolean().default(false) },
    returns: Notification,
  }),
}
