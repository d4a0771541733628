import type { Escalation } from '@innkeeper/contract/quality/qc/shapes'
import { Text } from '@mantine/core'
import { priorityNames } from '../words.ts'

/** The priority of an escalation: the highest is red, and each fades once the case is reviewed. */
export function CasePriority({ priority, status }: Pick<Escalation, 'priority' | 'status'>) {
  const colour = status === 'reviewed' ? 'dimmed' : priority === 'urgent' ? 'error' : undefined
  return (
    <Text span c={colour}>
      {priorityNames[priority]}
    </Text>
  )
}
