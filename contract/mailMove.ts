import * as z from 'zod'
import { instant } from './kit.ts'

/**
 * `moving`: the mail is being copied. `failed`: that stopped. `passing`: the new server has the domain, and the old one
 * passes on what still arrives there. `retiring`: the old server is being cleared.
 */
export const MailMove = z.object({
  id: z.int(),
  state: z.enum(['moving', 'failed', 'passing', 'retiring']),
  fromName: z.string(),
  toName: z.string(),
  /** When the new server took over. */
  movedAt: instant.nullable(),
  /** What the retirement of the old server waits for; null: nothing, or not asked yet. */
  waitsFor: z.string().nullable(),
  workflowId: z.int().nullable(),
})
export type MailMove = z.output<typeof MailMove>
