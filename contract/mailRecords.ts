import * as z from 'zod'
import { instant } from './kit.ts'

/** A DNS record that mail needs, with the answer of the name servers. */
export const MailRecord = z.object({
  name: z.string(),
  type: z.enum(['A', 'AAAA', 'MX', 'TXT', 'SRV']),
  content: z.string(),
  purpose: z.string(),
  /** Mail works worse without it. */
  required: z.boolean(),
  /** `unknown`: no name server answered. */
  state: z.enum(['right', 'different', 'missing', 'unknown']),
  /** What is there instead, in our zone or as name servers answer. */
  now: z.array(z.string()),
  /** Our zone that contains the name; null: it is kept elsewhere, and the line has to be copied there. */
  zone: z.string().nullable(),
  /** The line to copy into a zone that is kept elsewhere. */
  line: z.string(),
})
export type MailRecord = z.output<typeof MailRecord>

export const MailKey = z.object({
  id: z.int(),
  selector: z.string(),
  signs: z.boolean(),
  /** Absent until the server answered. */
  publicKey: z.string().nullable(),
  createdAt: instant,
  retiredAt: instant.nullable(),
})
export type MailKey = z.output<typeof MailKey>
