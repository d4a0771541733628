import type { ReviewData } from '@innkeeper/contract/quality/qc/conversations'
import type { ConversationPage, Draft, Person } from '@innkeeper/contract/quality/qc/shapes'
import { NA, type Scores } from '../../../kit/score/scores.ts'

/** An unsubmitted review: one set of scores for each agent. */
export interface Sheets {
  agents: readonly Person[]
  /** By agent. */
  scores: Readonly<Record<number, Scores>>
  tags: readonly number[]
  comment: string
  /** Why somebody is graded who did not write in the conversation. */
  agentReason: string
}

/** The stored draft, or an empty review of the agent with the most messages. */
export function sheetsOf({ draft, agent }: ConversationPage): Sheets {
  const agents = draft?.agents?.length ? draft.agents : agent ? [agent] : []
  return {
    agents,
    scores: Object.fromEntries(agents.map(({ id }) => [id, scoresOf(draft, id)])),
    tags: draft?.tags ?? [],
    comment: draft?.comment ?? '',
    agentReason: draft?.agentReason ?? '',
  }
}

function scoresOf(draft: Draft | null, agentId: number): Scores {
  const own = (draft?.scores ?? []).filter((score) => score.agentId === undefined || score.agentId === agentId)
  return Object.fromEntries(
    own.map(({ scoreTypeId, gradeId, comment, evidence }) => [
      scoreTypeId,
      {
        ...(gradeId !== undefined && { grade: gradeId ?? NA }),
        ...{ comment, evidence: evidence.map(String) },
      },
    ]),
  )
}

/** Adds and removes agents. Scores of those who stay are kept. */
export function withAgents(sheets: Sheets, agents: readonly Person[]): Sheets {
  return { ...sheets, agents, scores: Object.fromEntries(agents.map(({ id }) => [id, sheets.scores[id] ?? {}])) }
}

/** The data that a draft or a submission sends. */
export const dataOf = ({ agents, scores, tags, comment, agentReason }: Sheets): ReviewData => ({
  scores: agents.flatMap(({ id: agentId }) =>
    Object.entries(scores[agentId] ?? {}).map(([type, { grade, comment: why, evidence }]) => ({
      ...{ scoreTypeId: Number(type), comment: why, evidence: evidence.map(Number), agentId },
      ...(grade !== undefined && { gradeId: grade === NA ? null : grade }),
    })),
  ),
  tags: [...tags],
  comment,
  ...(agentReason && { agentReason }),
  agents: [...agents],
})
