import type { Enrolment } from '@innkeeper/contract/machines/servers/shapes'
import { Alert, Text } from '@mantine/core'
import { Facts } from '../../../kit/frame/Section.tsx'
import { CodeBlock } from '../../../kit/look/CodeBlock.tsx'
import { lasting } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { useNow } from '../../../kit/look/useNow.ts'
import { inLines, remaining } from '../words.ts'

/** The enrolment command, its expiry and its certificate pin. */
export function Command({ enrolment }: { enrolment: Enrolment }) {
  const left = remaining(enrolment, useNow().getTime())
  return (
    <>
      <Text c="dimmed" mb={8}>
        Run as root on the machine. The command installs the agent, which pins our key and connects to us.
      </Text>
      {enrolment.problem && (
        <Alert color="warning" p="10px 14px" mb={8} title="Another machine would not reach us">
          {enrolment.problem}
        </Alert>
      )}
      <CodeBlock label="enrolment command">{inLines(enrolment.command)}</CodeBlock>
      <div style={{ marginTop: 12 }}>
        <Facts
          width={96}
          of={[
            [
              'Good for',
              left > 0 ? (
                <span key="left" className="num" role="timer">
                  {lasting(left)}, once
                </span>
              ) : (
                <Text key="ended" span c="var(--mantine-color-warning-text)">
                  Expired. Make a new command.
                </Text>
              ),
            ],
            ['Key', <Mono key="pin">{enrolment.pin}</Mono>],
          ]}
        />
      </div>
    </>
  )
}
