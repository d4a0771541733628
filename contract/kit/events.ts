import * as z from 'zod'

/**
 * Events that the server pushes over `/ws?jwt=…`, each as `{ event, data }`. The specification defines the first five.
 */
export const events = {
  notification: z.object({
    _id: z.int().optional(),
    level: z.enum(['info', 'success', 'warning', 'error']),
    title: z.string(),
    body: z.string(),
    date: z.string(),
    /** Why the person is notified, and in `link` a path of the app. */
    reason: z.string().optional(),
    link: z.string().optional(),
  }),
  dialog: z.object({ kind: z.enum(['success', 'error', 'info']), message: z.string() }),
  forceLogout: z.object({}),
  roleUpdated: z.object({ scopes: z.array(z.string()), isAdmin: z.boolean() }),
  updateCredentials: z.object({ jwt: z.string(), userId: z.int(), scopes: z.array(z.string()) }),
  /**
   * Tells open screens to read again. Without `id`: anything of the domain. Sent only to sockets that may read the
   * domain.
   */
  changed: z.object({ domain: z.string(), id: z.int().optional() }),
} as const
export type EventName = keyof typeof events
export type EventData<N extends EventName> = z.output<(typeof events)[N]>
export type Event = { [N in EventName]: { event: N; data: EventData<N> } }[EventName]
