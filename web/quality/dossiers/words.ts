import type { FeedbackState, TalkState, TimelineKind, Visibility } from '@innkeeper/contract/quality/dossiers/values'

/** Who reads an entry: the text on every form and every entry. */
export const readersOf: Record<Visibility, string> = {
  private: 'Only the author reads it',
  manager: 'The author, the manager and administrators read it',
  'subject-and-manager': 'The author, the person, the manager and administrators read it',
  team: 'The author, the person, the team, the manager and administrators read it',
}
export const visibilityNames: Record<Visibility, string> = {
  private: 'Private',
  manager: 'Manager',
  'subject-and-manager': 'Person and manager',
  team: 'Team',
}
export const stateNames: Record<FeedbackState, string> = {
  draft: 'Draft',
  waiting: 'Waits for an answer',
  acknowledged: 'Acknowledged',
  noted: 'Published',
}
export const kindNames: Record<TimelineKind, string> = {
  feedback: 'Feedback',
  comment: 'Comments',
  'chat-comment': 'Chat comments',
  'ticket-comment': 'Ticket comments',
  review: 'Reviews',
  escalation: 'Escalations',
  audit: 'Audits',
  team: 'Teams and positions',
  talk: 'Talks',
}
const talkStateNames: Record<TalkState, string> = {
  preparing: 'Being prepared',
  released: 'Released',
  closed: 'Closed',
}
/** A talk that was closed before its answers were released was called off. */
export const stateOfTalk = ({ state, releasedAt }: { state: TalkState; releasedAt: string | null }): string =>
  state === 'closed' && !releasedAt ? 'Called off' : talkStateNames[state]
export const talkKindNames = { 'one-to-one': 'One-to-one', 'yearly-review': 'Yearly review' } as const

/** Waiting entries are counted up to this bound. */
export const waits = (n: number): string => (n >= 1000 ? 'at least 1,000' : String(n))
