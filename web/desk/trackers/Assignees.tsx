import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { count, counted, moment } from '../../kit/look/format.ts'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { hintOf, ticketsApi } from './api.ts'

/** Who can be assigned internal tickets, as of the last refresh, with the number of their open tickets. */
export function Assignees() {
  const lacking = useReason()
  const hidden = lacking(ticketsApi.assignees)
  const { data, error } = useQuery({ ...ticketsApi.assignees.query(), enabled: !hidden })
  const { busy, run } = useAct()
  const reason = lacking(ticketsApi.refreshAssignees)
  const refresh = () =>
    run(async () => {
      const found = await attempt(() => ticketsApi.refreshAssignees(), [hintOf.ticket])
      if (found) toast.success(`${counted(found.total, ['person', 'people'])} can be assigned`)
    })
  const button = 'Refresh assignees'
  return (
    <Section
      title="Assignees"
      hint={data?.refreshedAt ? `found ${moment(data.refreshedAt)}` : undefined}
      pad={false}
      aside={
        reason ? (
          <ActButton size="xs" reason={reason}>
            {button}
          </ActButton>
        ) : (
          <Button size="xs" variant="default" loading={busy} onClick={() => void refresh()}>
            {button}
          </Button>
        )
      }
    >
      <SectionTable
        label="Assignees"
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Department', cell: ({ departmentName }) => <Text c="dimmed">{departmentName ?? 'none'}</Text> },
          {
            title: 'Open tickets',
            align: 'right',
            width: 110,
            cell: ({ open }) => <span className="num">{count(open)}</span>,
          },
        ]}
        rows={data?.items}
        unread={hidden ?? error?.message}
        keyOf={({ id }) => id}
        empty="No assignee is known yet: refresh the assignees."
      />
    </Section>
  )
}
