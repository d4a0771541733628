import { holds } from '@innkeeper/contract/kit/access'
import type { Feedback, Review } from '@innkeeper/contract/quality/qc/shapes'
import type { Kind } from '@innkeeper/contract/quality/qc/values'
import type { Staff } from '../../kit/access/sessions.ts'
import type { Context } from '../../kit/http/api.ts'
import { outOfReach, refused } from '../../kit/http/errors.ts'

/** Managers act on the reviews and feedback of others (decision 55). */
export const isManager = (staff: Staff): boolean => holds(staff, 'qa:manager:access')

/** Whoever may not read chats or tickets sees no customer's conversation, whatever it is part of (decision 55). */
export const mayRead = (staff: Staff, kind: Kind): boolean => holds(staff, `qa:${kind}:read`)

/** The reader of rows, and where they are read. */
export type Reading = Pick<Context, 'db' | 'staff'>

/**
 * What this reader sees of escalations, feedback and reviews: whoever may not read conversations of a kind does not see
 * their subjects either.
 */
export const withoutUnread = <T extends { kind: Kind; subject: string }>(staff: Staff, cases: readonly T[]): T[] =>
  cases.map((one) => (mayRead(staff, one.kind) ? one : { ...one, subject: '' }))

/** 403 unless the caller may read conversations of this kind, or is one of `agents`, who wrote in this one. */
export function checkMayRead(staff: Staff, kind: Kind, agents: readonly (number | undefined)[] = []): void {
  if (!mayRead(staff, kind) && !agents.includes(staff.id)) throw outOfReach(`You may not read ${kind}s`)
}

/** A review belongs to its reviewer and to managers. Nobody changes or deletes a review of their own work. */
export function mayChangeReview(staff: Staff, { agent, reviewer }: Review): void {
  if (agent.id === staff.id) throw outOfReach('The review is about you: somebody else changes it. You may dispute it.')
  if (reviewer.id !== staff.id && !isManager(staff))
    throw outOfReach(`${reviewer.name} wrote the review: only they, or a quality manager, may do this`)
}

/** Only the author and managers may change feedback, and nobody after it was answered. */
export function mayChangeFeedback(staff: Staff, { createdBy, status }: Feedback): void {
  if (createdBy.id !== staff.id && !isManager(staff))
    throw outOfReach(`${createdBy.name} wrote the feedback: only they, or a quality manager, may change it`)
  if (status === 'answered' || status === 'closed')
    throw refused('The feedback is answered and can no longer be changed')
}

/**
 * Nobody decides their own dispute, or one that names them as the right person. Reviewers may accept a dispute of their own review; only another person or an
 * administrator may reject it.
 */
export function mayDecide(
  staff: Staff,
  { agent, createdBy, proposes }: Feedback,
  reviewerId: number | undefined,
  outcome: Feedback['outcome'],
): void {
  if (createdBy.id === staff.id || agent?.id === staff.id) throw outOfReach('Nobody decides their own dispute')
  if (proposes?.agent?.id === staff.id) throw outOfReach('The dispute names you: somebody else decides it')
  if (outcome === 'rejected' && reviewerId === staff.id && !staff.isAdmin)
    throw outOfReach('The dispute is about your review: you may accept it, somebody else rejects it')
}
