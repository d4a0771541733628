import type { WorkflowWithActions } from '@innkeeper/contract/machines/workflows'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { Reading } from '../../kit/frame/Reading.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { WorkflowPane } from '../../machines/workflows/WorkflowPane.tsx'
import { databasesApi } from './api.ts'

/** Opens the panel of database workflows that nobody has dismissed. */
export function RunsButton() {
  const lacking = useReason()
  const [open, setOpen] = useState(false)
  const { data, error } = useQuery({ ...databasesApi.runs.query({}), enabled: !lacking(databasesApi.runs) })
  const items = data?.items ?? []
  const ended = items.filter(isEnded)
  return (
    <>
      <ActButton variant="default" reason={lacking(databasesApi.runs)} onClick={() => setOpen(true)}>
        {items.length ? `Runs (${items.length})` : 'Runs'}
      </ActButton>
      <Dialog opened={open} onClose={() => setOpen(false)} title="Runs of databases" size={720}>
        <Stack gap={14}>
          {items.length === 0 && (
            <Text c="dimmed">{error?.message ?? (data ? 'Every run is dismissed.' : <Reading />)}</Text>
          )}
          {items.map((workflow) => (
            <div key={workflow.id} style={{ display: 'grid', gap: 6 }}>
              <Text fz="sm" fw={550}>
                {workflow.subjectName}
              </Text>
              <WorkflowPane workflow={workflow} />
              {isEnded(workflow) && <Dismiss workflow={workflow} />}
            </div>
          ))}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={() => setOpen(false)}>
              Close
            </Button>
            <ActButton
              reason={lacking(databasesApi.dismissAll) ?? (ended.length ? undefined : 'No run has ended.')}
              onClick={() => void attempt(() => databasesApi.dismissAll({}), ['databases'])}
            >
              Dismiss all that ended
            </ActButton>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}

const isEnded = ({ status }: WorkflowWithActions) => status !== 'running' && status !== 'waiting'

function Dismiss({ workflow: { id, title } }: { workflow: WorkflowWithActions }) {
  return (
    <ActButton
      size="xs"
      variant="subtle"
      leftSection={<IconX size={14} />}
      reason={useReason()(databasesApi.dismiss)}
      aria-label={`Dismiss ${title}`}
      onClick={() => void attempt(() => databasesApi.dismiss({ id }), ['databases'])}
    >
      Dismiss
    </ActButton>
  )
}
