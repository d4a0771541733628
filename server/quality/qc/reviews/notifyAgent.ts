import type { Review } from '@innkeeper/contract/quality/qc/shapes'
import { notify } from '../../../access/notifications/notify.ts'
import type { Context } from '../../../kit/http/api.ts'
import { readConversation } from '../conversations/view.ts'

/** The page on which agents read a review of their own work. */
export const ownReviewPath = (id: number): string => `/qc-v2/mine/review?review=${id}`

const scoreOf = ({ score }: Review) => (score === null ? 'without a score' : `${Math.round(score)} of 100`)

const words = {
  changed: (before: Review, after: Review) => `The score was ${scoreOf(before)} and is ${scoreOf(after)} now.`,
  deleted: (before: Review) => `The review with the score ${scoreOf(before)} no longer counts.`,
  restored: (_: Review, after: Review) => `The review with the score ${scoreOf(after)} counts again.`,
}

/** Notifies the agent of a review that somebody else has changed, deleted or restored. */
export async function notifyAgent(
  { db, staff }: Context,
  act: keyof typeof words,
  before: Review,
  after: Review = before,
): Promise<void> {
  if (after.agent.id === staff.id) return
  const { externalId } = await readConversation(db, after.conversationId)
  await notify(db, {
    to: [after.agent.id],
    reason: 'quality',
    title: `The review of your ${after.kind} ${externalId} was ${act}`,
    body: `${words[act](before, after)} ${staff.name} did this.`,
    link: ownReviewPath(after.id),
  })
}

/** Notifies the reviewer of a review that a quality manager has changed, deleted or restored. */
export async function notifyReviewer({ db, staff }: Context, act: keyof typeof words, review: Review): Promise<void> {
  const { kind, conversationId, reviewer } = review
  if (reviewer.id === staff.id) return
  const { externalId } = await readConversation(db, conversationId)
  await notify(db, {
    to: [reviewer.id],
    reason: 'quality',
    title: `Your review of ${kind} ${externalId} was ${act}`,
    body: `${staff.name} did this.`,
    link: `/qc-v2/${kind}s/${conversationId}`,
  })
}
