import * as z from 'zod'
import { del, get, id, instant, line, pageOf, paging, post } from '../kit/endpoint.ts'
import { Link } from './users/shapes.ts'

/** A recovery of an account whose person lost every way to sign in: one person asks, another one confirms. */
export const Recovery = z.object({
  id: z.int(),
  userId: z.int(),
  userName: z.string(),
  askedById: z.int(),
  askedByName: z.string(),
  reason: z.string(),
  askedAt: instant,
  expiresAt: instant,
  endedByName: z.string().nullable(),
  endedAt: instant.nullable(),
  /** Null while it waits. */
  ending: z.enum(['confirmed', 'refused', 'expired']).nullable(),
})
export type Recovery = z.output<typeof Recovery>

export const recovery = {
  list: get('/auth/recoveries', 'users:user:update', {
    summary: 'Recoveries of accounts, newest first',
    query: paging(),
    returns: pageOf(Recovery),
  }),
  ask: post('/auth/recoveries', 'users:user:update', {
    summary: 'Ask for the recovery of an account, which another person confirms',
    body: { userId: id, reason: line(500) },
    returns: Recovery,
  }),
  confirm: post('/auth/recoveries/:id/confirmation', 'users:user:update', {
    summary: 'Confirm a recovery; only this answer contains the one-use link, which removes the lost factors',
    returns: Link,
    status: 200,
  }),
  refuse: del('/auth/recoveries/:id', 'users:user:update', { summary: 'Refuse or withdraw a recovery' }),
}
