import * as z from 'zod'
import { network } from '../../kit/values.ts'

/** Names that applications usually give to cookies of sessions, carts and forms. */
const marksVisitor = /sess|login|logged|auth|token|csrf|cart|woocommerce|jwt|postpass|(^|\.)sid(\.|$)/i
/** Name of a cookie. A final `*` matches any rest: `_ga_*`. */
export const cookieName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_.-]{1,64}\*?$/, 'The name of a cookie, such as _ga or _ga_*')
  .refine((name) => !marksVisitor.test(name), 'This cookie identifies a visitor, so pages with it must not be cached')
const OWN = ['/.well-known', '/.innkeeper']
const pathText = /^(?!.*(?:\/\/|\/\.{1,2}(?:\/|$)))\/[A-Za-z0-9/_.~-]{1,200}$/
const notOurs = (path: string) => !OWN.some((own) => path.startsWith(own))
/** The beginning of paths: `/admin/` means everything below that folder. */
export const pathStart = z
  .string()
  .trim()
  .regex(pathText, 'A path such as /admin/: letters, digits and / _ . ~ - only')
  .refine(notOurs, 'Certificates and edges need this path')
/** How edges treat paths with this beginning. The longest matching rule applies. */
export const PathRule = z.object({
  path: pathStart,
  /** Lifetime in minutes of pages without a lifetime of their own; 0: never cached; null: as for the website. */
  minutes: z.int().min(0).max(43200).nullable(),
  /** True: visitors need a name and a password. */
  locked: z.boolean(),
  /** Only these addresses may visit; empty: as for the website. */
  allow: z.array(network).max(100),
})
export type PathRule = z.output<typeof PathRule>
const redirectFrom = z
  .string()
  .trim()
  .refine(
    (from) => from === '/' || pathText.test(from.replace(/\/\*$/, '/')),
    'A path such as /old, or /old/* for all below it: letters, digits and / _ . ~ - only',
  )
  .refine((from) => from !== '/*', 'All of a website cannot be redirected: make its name an alias of the other one')
  .refine(notOurs, 'Certificates and edges need this path')
/** Refuses characters with a special meaning in nginx or in a header. */
const redirectTo = z
  .string()
  .trim()
  .max(1000)
  .regex(
    /^(?:https?:\/\/[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::\d{1,5})?)?\/(?!\/)[\x21\x23\x25-\x5b\x5d-\x7e]*$/,
    'A path such as /new, or an address such as https://example.org/new',
  )
export const redirectStatus = z.union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)])
/** Redirects visitors of a path. If both end in `/*`, the rest of the path is kept. */
export const Redirect = z
  .object({
    from: redirectFrom,
    to: redirectTo,
    status: redirectStatus,
  })
  .refine(({ from, to }) => from.endsWith('/*') || !to.endsWith('/*'), {
    path: ['to'],
    error: '/* at the end is only allowed if the path on the left ends in /* too',
  })
  .refine(({ from, to }) => !leadsBack(from, to), { path: ['to'], error: 'Leads back to the same place' })
export type Redirect = z.output<typeof Redirect>
const leadsBack = (from: string, to: string) =>
  from.endsWith('/*') ? to.startsWith(from.slice(0, -1)) : to.split(/[?#]/)[0] === from
/** Headers that describe the message, that edges compute, or that have a setting of their own. */
const notSettable = [
  ...['age', 'connection', 'content-encoding', 'content-length', 'content-range', 'content-type', 'date', 'etag'],
  ...['keep-alive', 'location', 'proxy-authenticate', 'server', 'set-cookie', 'strict-transport-security', 'te'],
  ...['trailer', 'transfer-encoding', 'upgrade', 'vary', 'via', 'www-authenticate', 'x-cache-status'],
  ...['accept-ranges', 'last-modified', 'x-accel-redirect', 'x-accel-expires', 'x-accel-buffering'],
]
/** A header of every answer, which replaces the website's own; an empty value removes the header. */
export const AnswerHeader = z.object({
  name: z
    .string()
    .trim()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'The name of a header, such as X-Frame-Options')
    .refine((name) => !notSettable.includes(name.toLowerCase()), 'Edges set this header themselves'),
  value: z
    .string()
    .trim()
    .max(4000)
    .regex(/^[\x20-\x23\x25-\x5b\x5d-\x7e]*$/, 'Letters, digits and signs except $ and \\, in one line'),
})
export type AnswerHeader = z.output<typeof AnswerHeader>

export const errorStatuses = [403, 404, 500, 502, 503, 504] as const
export const errorStatus = z.literal(errorStatuses)
/** A page that replaces the website's own, or the edge's page if the website does not answer. */
export const ErrorPage = z.object({
  status: errorStatus,
  html: z.string().trim().min(1, 'Required').max(50000),
})
export type ErrorPage = z.output<typeof ErrorPage>
/** Name of a visitor who has a password. */
export const visitorName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_.@-]{1,64}$/, 'Letters, digits and _ . @ - only')
export const different =
  <T>(of: (item: T) => string, what: string) =>
  (items: T[], context: z.RefinementCtx) => {
    for (const [at, item] of items.entries())
      if (items.findIndex((other) => of(other) === of(item)) < at)
        context.addIssue({ code: 'custom', path: [at], message: `${what} ${of(item)} is listed twice` })
  }
