import * as z from 'zod'
import { instant } from '../../kit/endpoint.ts'

/** A DNS record that mail needs, with the answer of the name servers. */
export const MailRecord = z.object({
  name: z.string(),
  type: z.enum(['A', 'AAAA', 'MX', 'TXT', 'SRV']),
  content: z.string(),
  purpose: z.string(),
  /** True: mail works worse without the record. */
  required: z.boolean(),
  /** `unknown`: no name server answered. */
  state: z.enum(['right', 'different', 'missing', 'unknown']),
  /** Present records of this name and type, in a zone of Innkeeper or as name servers answer. */
  now: z.array(z.string()),
  /** Innkeeper's zone that contains the name; null: the zone is elsewhere, and people must copy `line` there. */
  zone: z.string().nullable(),
  /** The line to copy into a zone outside Innkeeper. */
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
