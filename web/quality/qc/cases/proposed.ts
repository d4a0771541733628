import type { Feedback } from '@innkeeper/contract/quality/qc/shapes'

/** What a dispute asks for, as facts. While it is open, each grade stands beside the one that the review has now. */
export function proposedOf({ proposes, status }: Feedback): [string, string][] {
  if (!proposes) return []
  const isOpen = status === 'open' || status === 'in-progress'
  return [
    ...(proposes.agent ? [['Right person', proposes.agent.name] as [string, string]] : []),
    ...proposes.scores.map(({ typeName, gradeName, presentName }): [string, string] => [
      typeName,
      `${isOpen ? `${presentName ?? 'N/A'} → ` : ''}${gradeName ?? 'N/A'} proposed`,
    ]),
  ]
}
