import * as z from 'zod'
import { domain, network } from '../../kit/values.ts'
import {
  AnswerHeader,
  cookieName,
  different,
  ErrorPage,
  errorStatus,
  PathRule,
  Redirect,
  redirectStatus,
  visitorName,
} from './parts.ts'

const rules = {
  /**
   * Cookies that do not change a page. A request with only these is answered from the cache, and reaches the origin
   * without them. A request with any other cookie is neither cached nor answered from the cache.
   */
  cookies: z.array(cookieName).max(50),
  /** How edges request the origin: `https` checks the certificate of the website's own server. */
  fetch: z.enum(['http', 'https']),
  paths: z
    .array(PathRule)
    .max(50)
    .superRefine(different(({ path }) => path, 'The path')),
  redirects: z
    .array(Redirect)
    .max(500)
    .superRefine(different(({ from }) => from, 'The path')),
  headers: z
    .array(AnswerHeader)
    .max(50)
    .superRefine(different(({ name }) => name.toLowerCase(), 'The header')),
  errors: z
    .array(ErrorPage)
    .max(6)
    .superRefine(different(({ status }) => `${status}`, 'The status')),
  /** True: visitors need a name and a password for the whole website. */
  locked: z.boolean(),
  /** Only these addresses may visit; empty: all. */
  allow: z.array(network).max(500),
  /** Addresses that edges refuse. */
  deny: z.array(network).max(500),
}

/** Rules of a website for its edges besides the lifetime of pages, as stored and answered. */
export const EdgeRules = z.object({
  cookies: z.array(z.string()),
  fetch: rules.fetch,
  paths: z.array(PathRule.extend({ path: z.string(), minutes: z.int().nullable(), allow: z.array(z.string()) })),
  redirects: z.array(z.object({ from: z.string(), to: z.string(), status: redirectStatus })),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  errors: z.array(z.object({ status: errorStatus, html: z.string() })),
  locked: z.boolean(),
  allow: z.array(z.string()),
  deny: z.array(z.string()),
  /** Names of the visitors who have a password. */
  users: z.array(z.string()),
})
export type EdgeRules = z.output<typeof EdgeRules>
export const NO_RULES: EdgeRules = {
  ...{ cookies: [], fetch: 'http', paths: [], redirects: [], headers: [], errors: [] },
  ...{ locked: false, allow: [], deny: [], users: [] },
}

/** A visitor in a change. Without a password, an existing visitor keeps the present password. */
export const Visitor = z.object({ name: visitorName, password: z.string().min(8).max(200).optional() })
export type Visitor = z.output<typeof Visitor>

/** A change of some rules; absent rules stay. */
export const edgeRulesChange = z
  .object({
    ...rules,
    users: z
      .array(Visitor)
      .max(200)
      .superRefine(different(({ name }) => name, 'The name')),
  })
  .partial()

/** The rule that belongs to caching. */
export const cookieRules = z.object({ cookies: rules.cookies }).partial()

/** A password file of nginx: a line `name:hash` for each visitor. */
export const passwordFile = z
  .string()
  .max(60_000)
  .regex(/^(?:[A-Za-z0-9_.@-]{1,64}:\$6\$[./A-Za-z0-9]{16}\$[./A-Za-z0-9]{86}\n)*$/)

/** Rules as agents get them. */
export const rulesOnEdge = z
  .object({
    ...rules,
    /** Name in the certificate of the origin. */
    certificateName: domain,
  })
  .partial()
