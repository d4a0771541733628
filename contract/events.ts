import * as z from 'zod'

/** What the server pushes over `/ws?jwt=…`, each as `{ event, data }`. The first five are the spec's. */
export const events = {
  notification: z.object({
    _id: z.int().optional(),
    level: z.enum(['info', 'success', 'warning', 'error']),
    title: z.string(),
    body: z.string(),
    date: z.string(),
    /** Why one is told, and where it leads: a path of the app. */
    reason: z.string().optional(),
    link: z.string().optional(),
  }),
  dialog: z.object({ kind: z.enum(['success', 'error', 'info']), message: z.string() }),
  forceLogout: z.object({}),
  roleUpdated: z.object({ scopes: z.array(z.string()), isAdmin: z.boolean() }),
  updateCredentials: z.object({ jwt: z.string(), userId: z.int(), scopes: z.array(z.string()) }),
  /** A hint for open screens; `id` absent: something of the whole domain. Only to sockets that may read it. */
  changed: z.object({ domain: z.string(), id: z.int().optional() }),
} as const
export type EventName = keyof typeof events
export type EventData<N extends EventName> = z.output<(typeof events)[N]>
export type Event = { [N in EventName]: { event: N; data: EventData<N> } }[EventName]
