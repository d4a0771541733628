import * as z from 'zod'
import { get, id, instant, patch, whole } from '../kit/endpoint.ts'

/** `unknown`: not requested yet, or not watched. */
export const healthState = z.enum(['unknown', 'up', 'down'])

/** Result of the latest request to a website by another machine. */
export const Health = z.object({
  state: healthState,
  /** Since when the website has been in this state. */
  since: instant,
  /** The last request; null: none yet. */
  checkedAt: instant.nullable(),
  /** HTTP status and milliseconds of the last request; null without an answer. */
  status: z.int().nullable(),
  ms: z.int().nullable(),
  /** Why the last request failed; null: it succeeded. */
  reason: z.string().nullable(),
})
export type Health = z.output<typeof Health>

/** A path on the website: `/shop?lang=nb`. */
export const checkedPath = z
  .string()
  .trim()
  .regex(/^\/[A-Za-z0-9._~!$&'()*+,;=:@%/?-]{0,500}$/, 'A path such as /shop')
/** A text that the source of the page must contain. */
export const checkedWord = z
  .string()
  .trim()
  .min(2, 'At least 2 characters')
  .max(100)
  .regex(/^[^\p{C}]+$/u, 'One line of text')

export const Monitor = Health.extend({
  websiteId: z.int(),
  enabled: z.boolean(),
  path: z.string(),
  word: z.string().nullable(),
  /** When the certificate of the website expires; null without https. */
  certificateUntil: instant.nullable(),
  /** The server that sent the last request; null: Innkeeper itself. */
  askedBy: z.string().nullable(),
  version: z.int(),
  /** Changes between up and down, newest first; at most 50. */
  changes: z.array(
    z.object({ at: instant, state: healthState, status: z.int().nullable(), reason: z.string().nullable() }),
  ),
  /** Per day in UTC, oldest first; at most 90 days. `ms`: the average. */
  days: z.array(z.object({ day: z.string(), checks: z.int(), failures: z.int(), ms: z.int().nullable() })),
})
export type Monitor = z.output<typeof Monitor>

/** Seconds between two requests to a website, also after failed requests until the website counts as down. */
export const CHECK_S = 60
export const RECHECK_S = 20
/** Failed requests in a row after which a website is down. */
export const FAILURES = 3

/** Calls about monitoring. Each website is requested regularly by another machine. */
export const monitoring = {
  one: get('/websites/:id/monitor', 'website:website:read', {
    summary: 'Monitoring settings of a website, its latest results and its history',
    returns: Monitor,
  }),
  update: patch('/websites/:id/monitor', 'website:website:status', {
    summary: 'Change the monitoring settings of a website, or stop monitoring it',
    params: { id },
    body: {
      enabled: z.boolean().optional(),
      path: checkedPath.optional(),
      /** Null: the page need not contain a text. */
      word: checkedWord.nullable().optional(),
      /** 0 for a website whose settings nobody has changed. */
      version: whole(0).optional(),
    },
    returns: Monitor,
  }),
}
