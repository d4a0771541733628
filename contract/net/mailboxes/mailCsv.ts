import * as z from 'zod'
import { post } from '../../kit/endpoint.ts'

export const MOST_CSV_MAILBOXES = 500
export const MOST_CSV_TEXT = 500_000
const csv = z.string().min(1, 'Required').max(MOST_CSV_TEXT, 'At most 500,000 characters')

const CsvLook = z.object({
  /** Lines that can be created, with what each has of a password. */
  items: z.array(
    z.object({
      line: z.int(),
      address: z.string(),
      name: z.string(),
      quotaMb: z.int(),
      password: z.enum(['given', 'hash', 'chosen']),
    }),
  ),
  errors: z.array(z.object({ line: z.int(), text: z.string() })),
})
export type CsvLook = z.output<typeof CsvLook>

export const csvCalls = {
  lookAtCsv: post('/mailbox/mailboxes/:id/users/csv/look', 'mailbox:user:create', {
    summary: 'Check a CSV of mailboxes: what would be created, and what is wrong by line',
    effect: 'read',
    status: 200,
    body: { csv },
    returns: CsvLook,
  }),
  addCsv: post('/mailbox/mailboxes/:id/users/csv', 'mailbox:user:create', {
    summary: `Create all mailboxes of a CSV in one act, at most ${MOST_CSV_MAILBOXES}, or none; only this answer contains chosen passwords`,
    body: { csv },
    status: 202,
    returns: z.object({
      created: z.array(z.object({ address: z.string(), password: z.string().nullable() })),
      workflowId: z.int(),
    }),
  }),
}
