import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import { type ScoreType, sumUp } from '../../../kit/score/scores.ts'
import type { Sheets } from './sheets.ts'

/** Why the reviewer cannot submit the review yet; undefined if nothing is missing. */
export function lackOf(
  page: ConversationPage,
  rubric: readonly ScoreType[],
  { agents, scores }: Sheets,
  reviewerId: number,
): string | undefined {
  const { holder, postponedBy } = page
  if (page.status === 'cleared') return 'Cleared from the queue'
  if (holder && holder.id !== reviewerId) return `${holder.name} has it open`
  if (postponedBy && postponedBy.id !== reviewerId) return `${postponedBy.name} postponed it`
  if (!agents.length) return 'Choose the agent whom the review is about'
  const reviewed = agents.find(({ id }) => page.reviews.some((review) => review.agent.id === id))
  if (reviewed) return `${reviewed.name} is reviewed already`
  for (const { id, name } of agents) {
    const { missing, uncommented } = sumUp(rubric, scores[id] ?? {})
    const whose = agents.length > 1 ? `, ${name}` : ''
    if (missing.length) return `No grade${whose}: ${missing.join(', ')}`
    if (uncommented.length) return `No comment${whose}: ${uncommented.join(', ')}`
  }
  return undefined
}
