import type { Output } from '@innkeeper/contract/kit/endpoint'
import type { servers } from '@innkeeper/contract/machines/servers/calls'
import type { Enrolment, Server } from '@innkeeper/contract/machines/servers/shapes'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { attempt } from '../../../kit/api/attempt.ts'
import { LinkButton } from '../../../kit/frame/LinkTo.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { useLastWorkflow } from '../../workflows/useLastWorkflow.ts'
import { WorkflowPane } from '../../workflows/WorkflowPane.tsx'
import { serversApi } from '../api.ts'
import { remaining } from '../words.ts'
import { Command } from './Command.tsx'

/** Milliseconds between two checks for the new agent; a hint triggers one earlier. */
const LOOK = 3000

/** Shows the enrolment command and waits for the agent. */
export function Enrolling({ added }: { added: Output<typeof servers.create> }) {
  const { id, name } = added
  const [enrolment, setEnrolment] = useState<Enrolment>(added.enrolment)
  const { data } = useQuery({ ...serversApi.view.query({ id }), refetchInterval: LOOK })
  const workflow = useLastWorkflow('server', id)
  const enrolled = Boolean(data?.enrolledAt)
  const again = async () => {
    const answer = await attempt(() => serversApi.enrol({ id }), ['servers'])
    if (answer) setEnrolment(answer)
  }
  return (
    <Screen
      title={name}
      mono
      actions={
        <LinkButton to="/server/$server" params={{ server: String(id) }} variant={enrolled ? undefined : 'default'}>
          Open server
        </LinkButton>
      }
    >
      <Stack gap={16} maw={760}>
        <Section title="1. Run the command" hint="as root on the machine">
          {enrolled ? (
            <Text c="dimmed">The command was run and cannot be used again.</Text>
          ) : (
            <>
              <Command enrolment={enrolment} />
              {remaining(enrolment) === 0 && (
                <Button mt={10} size="xs" variant="default" onClick={() => void again()}>
                  New command
                </Button>
              )}
            </>
          )}
        </Section>
        <Section title="2. The agent connects">
          <Waiting server={data} enrolled={enrolled} />
        </Section>
        {workflow && <WorkflowPane workflow={workflow} />}
      </Stack>
    </Screen>
  )
}

function Waiting({ server, enrolled }: { server: Server | undefined; enrolled: boolean }) {
  if (!enrolled)
    return (
      <Group gap={10} role="status">
        <StatusBadge state="running" label="Waiting for the agent…" />
        <Text c="dimmed" fz="xs">
          You may leave this page: the server’s own page makes a new command.
        </Text>
      </Group>
    )
  return (
    <Group gap={10} role="status">
      <StatusBadge state="done" label="Enrolled" />
      <Text c="dimmed" fz="xs">
        {server?.lastSeenAt
          ? `Agent ${server.agentVersion ?? ''} on ${server.os ?? 'its machine'}${server.address ? `, ${server.address}` : ''}`
          : 'Waiting for its first heartbeat.'}
      </Text>
    </Group>
  )
}
