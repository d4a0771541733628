import type { AuditItem, DevAudit } from '@innkeeper/contract/desk/scrums/shapes'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { attempt } from '../../kit/api/attempt.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Facts, Section, Split } from '../../kit/frame/Section.tsx'
import { moment } from '../../kit/look/format.ts'
import { SectionTable, type TableColumn } from '../../kit/look/SectionTable.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { Actions } from './Actions.tsx'
import { scrumsApi } from './api.ts'
import { percent, periodWords } from './words.ts'

const columnsOf = (scale: number): TableColumn<AuditItem>[] => [
  { title: 'Component', cell: ({ name }) => name, width: 180 },
  { title: 'Weight', align: 'right', width: 84, cell: ({ weight }) => <span className="num">{weight}</span> },
  {
    title: 'Score',
    align: 'right',
    width: 96,
    cell: ({ score }) => <span className="num">{score === null ? 'n/a' : `${score} of ${scale}`}</span>,
  },
  { title: 'Comment', cell: ({ comment }) => <span style={{ whiteSpace: 'pre-wrap' }}>{comment || '–'}</span> },
]

/** An audit to read, with the acknowledgement of the audited person. */
export function AuditView({ audit }: { audit: DevAudit }) {
  return (
    <Split
      side={
        <>
          <Section title="About">
            <Facts
              of={[
                ['Total', percent(audit.total)],
                ['Person', audit.user.name],
                ['Auditor', audit.auditor.name],
                ['Period', periodWords(audit)],
                ['Submitted', audit.submittedAt ? moment(audit.submittedAt) : 'not yet'],
                ['Acknowledged', audit.acknowledgedAt ? moment(audit.acknowledgedAt) : 'not yet'],
              ]}
            />
          </Section>
          <Actions audit={audit} />
        </>
      }
    >
      <Section title="Scores" pad={false}>
        <SectionTable
          label="Scores"
          columns={columnsOf(audit.scale)}
          rows={audit.items}
          keyOf={({ componentId }) => componentId}
          empty="No component is scored."
        />
      </Section>
      {audit.summary && (
        <Section title="Summary">
          <Text style={{ whiteSpace: 'pre-wrap' }}>{audit.summary}</Text>
        </Section>
      )}
      {audit.reply && (
        <Section title={`Reply of ${audit.user.name}`}>
          <Text style={{ whiteSpace: 'pre-wrap' }}>{audit.reply}</Text>
        </Section>
      )}
      {audit.mayAcknowledge && <Acknowledge audit={audit} />}
    </Split>
  )
}

function Acknowledge({ audit: { id, version } }: { audit: DevAudit }) {
  const [reply, setReply] = useState('')
  const act = useAct()
  const send = () =>
    act.run(async () => {
      const done = await attempt(() => scrumsApi.acknowledge({ id, reply, version }), ['scrums'])
      if (done) toast.success('Acknowledged', `${done.auditor.name} reads your reply.`)
    })
  return (
    <Section title="Your acknowledgement">
      <Stack gap={12}>
        <Textarea
          label="Reply"
          description="Acknowledging confirms that you have read the audit, not that you agree."
          autosize
          minRows={3}
          maxLength={4000}
          value={reply}
          onChange={(event) => setReply(event.currentTarget.value)}
        />
        <Group>
          <Button loading={act.busy} onClick={() => void send()}>
            Acknowledge
          </Button>
        </Group>
      </Stack>
    </Section>
  )
}
