import type { IpSetView, OnServer } from '@innkeeper/contract/machines/ipsets/shapes'
import { Group, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Section, Split } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, count, counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useWorkflow } from '../workflows/useLastWorkflow.ts'
import { WorkflowPane } from '../workflows/WorkflowPane.tsx'
import { ipsetsApi } from './api.ts'
import { compare } from './SetActs.tsx'
import { standingWords } from './words.ts'

/** State of the set on each server, and running workflows. */
export default function OnServers({ set }: { set: IpSetView }) {
  const lacking = useReason()
  const [chosen, setChosen] = useState<number>()
  const troubled = set.onServers.find(({ standing }) => standing === 'failed')
  const shown = set.onServers.find(({ serverId }) => serverId === chosen) ?? troubled
  const workflow = useWorkflow(shown?.workflowId ?? undefined)
  return (
    <Split side={workflow && <WorkflowPane workflow={workflow} />}>
      <Section
        title="Servers"
        hint="as last sent or compared"
        pad={false}
        aside={
          <ActButton
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={14} />}
            reason={lacking(ipsetsApi.sync) ?? (set.onServers.length ? undefined : 'The set is on no server yet.')}
            onClick={() => void compare(set.name)}
          >
            Compare and repair
          </ActButton>
        }
      >
        {set.onServers.map((one) => (
          <Row key={one.serverId} one={one} open={() => setChosen(one.serverId)} />
        ))}
        {!set.onServers.length && (
          <Text c="dimmed" p={14}>
            There is no server yet. The set is sent to each server that is added.
          </Text>
        )}
      </Section>
    </Split>
  )
}

function Row({ one, open }: { one: OnServer; open: () => void }) {
  const { name, standing, reason, elements, packets, at, workflowId } = one
  return (
    <Group
      justify="space-between"
      px={14}
      py={9}
      gap={12}
      style={{ borderBottom: '1px solid var(--ink-line)' }}
      wrap="nowrap"
    >
      <div style={{ minWidth: 0 }}>
        <Mono fw={450}>{name}</Mono>
        <Text c="dimmed" fz="xs" truncate title={reason ?? undefined}>
          {reason ?? figures(elements, packets)}
        </Text>
      </div>
      <Group gap={16} wrap="nowrap">
        <Text c="dimmed" fz="xs" visibleFrom="sm">
          {at ? ago(at) : ''}
        </Text>
        <StatusBadge {...standingWords[standing]} />
        <ActButton
          size="xs"
          variant="default"
          reason={workflowId === null ? 'Nothing was sent yet.' : undefined}
          onClick={open}
          aria-label={`Show the work on ${name}`}
        >
          Work
        </ActButton>
      </Group>
    </Group>
  )
}

const figures = (elements: number | null, packets: number | null) =>
  [
    elements === null ? undefined : counted(elements, ['entry', 'entries']),
    packets === null ? undefined : `${count(packets)} packets dropped`,
  ]
    .filter(Boolean)
    .join(', ')
