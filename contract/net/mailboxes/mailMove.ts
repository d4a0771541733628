import * as z from 'zod'
import { instant } from '../../kit/endpoint.ts'

/**
 * `moving`: the mail is being copied. `failed`: the copying stopped. `passing`: the new server has the domain, and the
 * old server forwards mail that still arrives there. `retiring`: the old server is being cleared.
 */
export const MailMove = z.object({
  id: z.int(),
  state: z.enum(['moving', 'failed', 'passing', 'retiring']),
  fromName: z.string(),
  toName: z.string(),
  /** When the new server took over. */
  movedAt: instant.nullable(),
  /** Condition that delays the retirement of the old server; null: none, or not checked yet. */
  waitsFor: z.string().nullable(),
  workflowId: z.int().nullable(),
})
export type MailMove = z.output<typeof MailMove>
