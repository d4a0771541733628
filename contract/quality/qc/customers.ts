import * as z from 'zod'
import { post } from '../../kit/endpoint.ts'
import { ConversationPage } from './shapes.ts'
import { flag } from './values.ts'

const email = z
  .string()
  .trim()
  .min(3)
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/, 'An email address')
const manager = 'qa:manager:access'
const path = '/qa-controller-v2/customers'

/** Data of one customer, for requests under data protection law. The specification has no path for these calls. */
export const qcCustomers = {
  exportCustomer: post(`${path}/export`, [manager, 'qa:chat:read', 'qa:ticket:read'], {
    summary: 'Everything that is stored about a customer’s address, at most 50 conversations at once',
    body: { email, after: z.int().min(0).optional() },
    status: 200,
    returns: z.object({
      items: z.array(
        ConversationPage.omit({
          ...{ draft: true, comments: true, escalations: true, feedbacks: true },
          ...{ reviews: true, deletedReviews: true, checks: true },
        }),
      ),
      /** Id after which further conversations follow; null: there are no more. */
      after: z.int().nullable(),
    }),
  }),
  eraseCustomer: post(`${path}/erase`, manager, {
    summary: 'Remove name, address and words of a customer, also where staff quote them. A dry run only counts them',
    body: { email, isDryRun: flag.optional() },
    status: 200,
    returns: z.object({
      isDryRun: z.boolean(),
      conversations: z.int(),
      messages: z.int(),
      /** Number of rows that lose words, for everything that support quality stores. */
      places: z.array(z.object({ place: z.string(), rows: z.int() })),
      /** Where the address may stand besides, number of rows (1,000: at least as many), and why these stay. */
      stays: z.array(z.object({ place: z.string(), rows: z.int(), why: z.string() })),
    }),
  }),
}
