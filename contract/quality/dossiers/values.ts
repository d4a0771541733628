import * as z from 'zod'

/**
 * Readers of an entry of a dossier besides its author: nobody, the manager, the manager and the person, or also the
 * team. `server/quality/dossiers/feedback/readers.ts` applies the rule.
 */
export const visibilities = ['private', 'manager', 'subject-and-manager', 'team'] as const
export const visibility = z.enum(visibilities)
export type Visibility = z.output<typeof visibility>

/** State of an entry: unpublished, waiting for the person's answer, acknowledged, or needs no answer. */
export const feedbackStates = ['draft', 'waiting', 'acknowledged', 'noted'] as const
export const feedbackState = z.enum(feedbackStates)
export type FeedbackState = z.output<typeof feedbackState>

/** Kinds of entries in a timeline. */
export const timelineKinds = [
  ...(['feedback', 'comment', 'chat-comment', 'ticket-comment', 'review', 'escalation', 'audit'] as const),
  ...(['team', 'talk'] as const),
] as const
export const timelineKind = z.enum(timelineKinds)
export type TimelineKind = z.output<typeof timelineKind>

export const talkKinds = ['one-to-one', 'yearly-review'] as const
export const talkKind = z.enum(talkKinds)
export type TalkKind = z.output<typeof talkKind>
/**
 * Both sides prepare without seeing the other's answers; all answers are released together; then goals are agreed and
 * the talk is closed.
 */
export const talkStates = ['preparing', 'released', 'closed'] as const
export const talkState = z.enum(talkStates)
export type TalkState = z.output<typeof talkState>
