import type { WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import { Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { Reading } from '../../kit/frame/Reading.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { WorkflowPane } from '../../machines/workflows/WorkflowPane.tsx'
import { systemUsersApi } from './api.ts'

const SHOWN = 3

/** Recent workflows of an account, until dismissed. The action log keeps them all. */
export function Runs({ id }: { id: number }) {
  const { data, error } = useQuery(systemUsersApi.runs.query({ id }))
  const items = data?.items ?? []
  if (!items.length)
    return (
      <Section title="Runs">
        <Text c="dimmed">{error?.message ?? (data ? 'Nothing that is not dismissed.' : <Reading />)}</Text>
      </Section>
    )
  return items.slice(0, SHOWN).map((workflow) => (
    <div key={workflow.id} style={{ display: 'grid', gap: 6 }}>
      <WorkflowPane workflow={workflow} />
      {workflow.status !== 'running' && workflow.status !== 'waiting' && <Dismiss workflow={workflow} />}
    </div>
  ))
}

function Dismiss({ workflow: { id, title } }: { workflow: WorkflowWithActions }) {
  const reason = useReason()(systemUsersApi.dismiss)
  return (
    <ActButton
      size="xs"
      variant="subtle"
      leftSection={<IconX size={14} />}
      reason={reason}
      aria-label={`Dismiss ${title}`}
      onClick={() => void attempt(() => systemUsersApi.dismiss({ id }), ['systemUsers'])}
    >
      Dismiss
    </ActButton>
  )
}
