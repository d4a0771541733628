import type { Enrolment, ServerView } from '@innkeeper/contract/machines/servers/shapes'
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { ago } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { serversApi } from '../api.ts'
import { remaining } from '../words.ts'
import { Command } from './Command.tsx'

/** Enrolment of the agent, and the action to enrol again. */
export function EnrolSection({ server }: { server: ServerView }) {
  const lacking = useReason()
  const [asked, setAsked] = useState<{ enrolment: Enrolment; before: string | null }>()
  const [busy, setBusy] = useState(false)
  const ask = async () => {
    setBusy(true)
    const answer = await attempt(() => serversApi.enrol({ id: server.id }), ['servers'])
    if (answer) setAsked({ enrolment: answer, before: server.enrolledAt })
    setBusy(false)
  }
  const { enrolledAt, enrolledBy, credential, lastSeenAt } = server
  // a used command is invalid
  const shown = asked && asked.before === enrolledAt ? asked.enrolment : undefined
  return (
    <Section title={enrolledAt ? 'Enrol again' : 'Enrol'} hint="works once, for a short time">
      {shown ? (
        <Command enrolment={shown} />
      ) : (
        <Group justify="space-between" wrap="nowrap" gap={12}>
          <Text c="dimmed">
            {enrolledAt
              ? 'A new command replaces the agent’s credential when it is run. The old command ends.'
              : 'No agent has connected yet. The command installs it.'}
          </Text>
          <ActButton
            size="xs"
            variant="default"
            loading={busy}
            reason={lacking(serversApi.enrol)}
            style={{ flex: 'none' }}
            onClick={() => void ask()}
          >
            New command
          </ActButton>
        </Group>
      )}
      {shown && remaining(shown) === 0 && (
        <Button size="xs" variant="default" mt={10} loading={busy} onClick={() => void ask()}>
          New command
        </Button>
      )}
      <div style={{ marginTop: 12 }}>
        <Facts
          width={96}
          of={[
            ['Last enrolled', enrolledAt ? `${ago(enrolledAt)}${enrolledBy ? `, ${enrolledBy}` : ''}` : 'Never'],
            [
              'Credential',
              <Group key="credential" gap={8}>
                <StatusBadge state={credential} />
                {credential === 'valid' && lastSeenAt && (
                  <Text c="dimmed" fz="xs">
                    used {ago(lastSeenAt)}
                  </Text>
                )}
              </Group>,
            ],
          ]}
        />
      </div>
    </Section>
  )
}
