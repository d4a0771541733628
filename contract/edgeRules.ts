import * as z from 'zod'

/** Names that applications give to cookies of signed-in visitors, of carts and of forms. */
const marksVisitor = /sess|login|logged|auth|token|csrf|cart|woocommerce|jwt|postpass|(^|\.)sid(\.|$)/i

/** Name of a cookie; `*` at its end stands for any rest: `_ga_*`. */
export const cookieName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_.-]{1,64}\*?$/, 'The name of a cookie, such as _ga or _ga_*')
  .refine((name) => !marksVisitor.test(name), 'Such a cookie says who a visitor is: its pages are not for others')

/** What a website asks of its edges beside the lifetime of its pages. */
export const EdgeRules = z.object({
  /**
   * Cookies that change no page. A request that has no others is answered from the cache, and reaches the origin
   * without them. Every other cookie means: neither cached nor answered from the cache.
   */
  cookies: z.array(cookieName).max(50),
})
export type EdgeRules = z.output<typeof EdgeRules>
export const NO_RULES: EdgeRules = { cookies: [] }

/** A change of some rules; absent ones stay. */
export const edgeRulesChange = EdgeRules.partial()
