import type { ConversationPage, Person } from '@innkeeper/contract/quality/qc/shapes'
import { type ScoreType, sumUp } from '../../../kit/score/scores.ts'
import type { Sheets } from './sheets.ts'

/** The first agent who did not write in the conversation. */
export const outsiderOf = ({ agents: wrote }: ConversationPage, agents: Sheets['agents']): Person | undefined =>
  agents.find(({ id }) => !wrote.some((one) => one.id === id))

/** Why the reviewer cannot submit the review yet; undefined if nothing is missing. */
export function lackOf(
  page: ConversationPage,
  rubric: readonly ScoreType[],
  { agents, scores, agentReason }: Sheets,
  reviewerId: number,
): string | undefined {
  const { holder, postponedBy } = page
  if (page.status === 'cleared') return 'Cleared from the queue'
  if (holder && holder.id !== reviewerId) return `${holder.name} has it open`
  if (postponedBy && postponedBy.id !== reviewerId) return `${postponedBy.name} postponed it`
  if (!agents.length) return 'Choose the agent whom the review is about'
  const reviewed = agents.find(({ id }) =>
    page.reviews.some(({ agent, since }) => agent.id === id && since === page.reopenedSince),
  )
  if (reviewed) return `${reviewed.name} is reviewed already`
  const outsider = outsiderOf(page, agents)
  if (outsider && !agentReason.trim()) return `Say why ${outsider.name} is graded, who did not write here`
  for (const { id, name } of agents) {
    const { missing, uncommented } = sumUp(rubric, scores[id] ?? {})
    const whose = agents.length > 1 ? `, ${name}` : ''
    if (missing.length) return `No grade${whose}: ${missing.join(', ')}`
    if (uncommented.length) return `No comment${whose}: ${uncommented.join(', ')}`
  }
  return undefined
}
