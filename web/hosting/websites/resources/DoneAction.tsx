import type { Action } from '@innkeeper/contract/machines/workflows'
import { Badge, Text } from '@mantine/core'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { CodeBlock } from '../../../kit/look/CodeBlock.tsx'
import { lasting, moment } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import css from '../columns.module.css'

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** One action: its times, input and result. */
export function DoneAction({ action }: { action: Action }) {
  const { id, title, task, status, attempt: attempts, startedAt, endedAt, input, output, reason } = action
  const took = startedAt && endedAt ? lasting(Date.parse(endedAt) - Date.parse(startedAt)) : undefined
  return (
    <Section
      title={title}
      hint={
        <>
          action <Mono>{id}</Mono>, workflow <Mono>{action.workflowId}</Mono>
        </>
      }
      aside={<StatusBadge state={status} />}
    >
      <Facts
        of={[
          ['Task', task === 'undo' ? <Badge key="task">Rolled back</Badge> : 'Carried out'],
          ['Attempts', String(attempts)],
          ['Began', startedAt ? moment(startedAt) : 'Not yet'],
          ['Ended', endedAt ? `${moment(endedAt)}${took ? `, after ${took}` : ''}` : 'Not yet'],
          ...(reason ? [['Reason', reason] satisfies [string, string]] : []),
        ]}
      />
      <Text c="dimmed" mt={12} mb={4}>
        Input
      </Text>
      <CodeBlock label={`input of action ${id}`}>{json(input)}</CodeBlock>
      <Text c="dimmed" mt={12} mb={4}>
        Output
      </Text>
      {output === null || output === undefined ? (
        <Text c="dimmed" fz="xs" className={css.line}>
          None.
        </Text>
      ) : (
        <CodeBlock label={`output of action ${id}`}>{json(output)}</CodeBlock>
      )}
    </Section>
  )
}
