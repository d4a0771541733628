import type { DevAudit } from '@innkeeper/contract/desk/scrums/shapes'
import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { attempt } from '../../kit/api/attempt.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { scrumsApi } from './api.ts'

/** Agreed actions with the state of their internal tickets. */
export function Actions({ audit: { id, actions, mayEdit } }: { audit: DevAudit }) {
  const [title, setTitle] = useState('')
  const act = useAct()
  const add = () =>
    act.run(async () => {
      const added = await attempt(() => scrumsApi.addAction({ id, title }), ['scrums', 'internalTickets'])
      if (added) setTitle('')
    })
  return (
    <Section title="Actions" hint="Each becomes an internal ticket">
      <Stack gap={10}>
        {actions.length === 0 && <Text c="dimmed">Nothing is agreed yet.</Text>}
        {actions.map((action) => (
          <Group key={action.id} justify="space-between" wrap="nowrap" gap={12}>
            <div style={{ minWidth: 0 }}>
              <Text truncate>
                {action.ticketKey ? (
                  <LinkTo to="/internal-tickets/tickets/$id" params={{ id: String(action.ticketId) }}>
                    {action.ticketKey}
                  </LinkTo>
                ) : (
                  'Deleted ticket'
                )}{' '}
                {action.title}
              </Text>
              {action.componentName && (
                <Text c="dimmed" fz="xs">
                  {action.componentName}
                </Text>
              )}
            </div>
            {action.state && <StatusBadge state={action.isDone ? 'active' : 'begun'} label={action.state} />}
          </Group>
        ))}
        {mayEdit && (
          <Group gap={8} wrap="nowrap" align="end">
            <TextInput
              label="New action"
              flex={1}
              maxLength={160}
              value={title}
              onChange={(event) => setTitle(event.currentTarget.value)}
            />
            <ActButton
              variant="default"
              loading={act.busy}
              reason={title.trim() ? undefined : 'Write what is to be done first.'}
              onClick={() => void add()}
            >
              Add
            </ActButton>
          </Group>
        )}
      </Stack>
    </Section>
  )
}
