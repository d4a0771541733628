import * as z from 'zod'
import { del, filter, get, id, instant, listQuery, pageOf, post } from '../../kit/endpoint.ts'
import { proposal } from './conversations.ts'
import { Feedback, FrozenType, Message, Person, Review, ReviewEdit } from './shapes.ts'
import { Overall } from './statistics.ts'
import { day, feedbackType, someProse } from './values.ts'

/** A review as its agent sees it, with the actions that the agent may take. */
export const OwnReview = z.object({
  ...Review.shape,
  externalId: z.string(),
  subject: z.string(),
  /** Messages that scores refer to. */
  evidence: z.array(Message),
  feedbacks: z.array(Feedback),
  /** Changes after the submission, the latest first. */
  changes: z.array(ReviewEdit),
  /**
   * Until when the agent may dispute the review; null: already disputed since its grades last became worse, or too late.
   */
  disputableUntil: instant.nullable(),
  /** Score types with the grades that a dispute may propose. */
  rubric: z.array(FrozenType),
  /** Other agents who wrote in the conversation: a dispute may name one of them as the right person. */
  writers: z.array(Person),
})
export type OwnReview = z.output<typeof OwnReview>

const own = '/qa-controller-v2/mine'

/** Calls about the caller's own quality. Agents need only a session, and see only reviews of their own work. */
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
  ownConversation: get(`${own}/reviews/:id/conversation`, 'signedIn', {
    summary: 'The conversation of the caller that a review is about',
    returns: z.object({ items: z.array(Message) }),
  }),
  ownFigures: get(`${own}/figures`, 'signedIn', {
    summary: 'Figures of the reviews of the caller',
    query: { from: filter(day), to: filter(day) },
    returns: Overall.omit({ reviewers: true }),
  }),
  answerReview: post(`${own}/reviews/:id/feedbacks`, 'signedIn', {
    summary: 'Give feedback on a review of one’s own work, or dispute it',
    params: { id },
    body: { feedback: someProse(10_000), type: feedbackType.optional(), proposes: proposal.optional() },
    returns: Feedback,
  }),
  ownFeedbacks: get(`${own}/reviews/:id/feedbacks`, 'signedIn', {
    summary:
      'What the caller wrote about a review, with the answers, also after it turned out to be about somebody else',
    returns: z.object({ items: z.array(Feedback) }),
  }),
  withdrawDispute: del(`${own}/reviews/:id/dispute`, 'signedIn', {
    summary: 'Withdraw one’s own open dispute',
    status: 204,
  }),
}
