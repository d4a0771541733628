import * as z from 'zod'
import { filter, get, id, instant, listQuery, pageOf, post } from '../kit.ts'
import { Feedback, Message, Review } from './shapes.ts'
import { Overall } from './statistics.ts'
import { day, feedbackType, someProse } from './values.ts'

/** A review as its agent sees it, with what may be done about it. */
export const OwnReview = z.object({
  ...Review.shape,
  externalId: z.string(),
  subject: z.string(),
  /** The messages that scores point at. */
  evidence: z.array(Message),
  feedbacks: z.array(Feedback),
  /** Until when the agent may dispute the review; null: disputed already, or too late. */
  disputableUntil: instant.nullable(),
})
export type OwnReview = z.output<typeof OwnReview>

const own = '/qa-controller-v2/mine'

/** My quality: what agents see of the reviews of their own work. A session is enough; nobody sees those of others. */
export const qcMine = {
  ownReviews: get(`${own}/reviews`, 'signedIn', {
    summary: 'Reviews of the caller, the newest first',
    query: listQuery(['submittedAt']),
    returns: pageOf(Review.extend({ externalId: z.string(), subject: z.string() })),
  }),
  ownReview: get(`${own}/reviews/:id`, 'signedIn', {
    summary: 'One review of the caller with its evidence',
    returns: OwnReview,
  }),
  ownFigures: get(`${own}/figures`, 'signedIn', {
    summary: 'Figures of the reviews of the caller',
    query: { from: filter(day), to: filter(day) },
    returns: Overall.omit({ reviewers: true }),
  }),
  answerReview: post(`${own}/reviews/:id/feedbacks`, 'signedIn', {
    summary: 'Give feedback on a review of one’s own work, or dispute it',
    params: { id },
    body: { feedback: someProse(10_000), type: feedbackType.optional() },
    returns: Feedback,
  }),
}
