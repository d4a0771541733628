import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt, succeeds } from '../../../kit/api/attempt.ts'
import { dayText, monthOf } from '../../../kit/calendar/days.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { moment } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { shiftsApi } from '../api.ts'

/** Shows whether a month is open for changes. */
export function MonthSection({ month, now }: { month: string; now: string }) {
  const lacking = useReason()
  const { data } = useQuery(shiftsApi.months.query())
  const closed = data?.items.find((one) => one.month === month)
  const name = dayText(month, 'month')
  const isOver = month < monthOf(now)
  const close = async () => {
    const sure = await confirm({
      title: `Close ${name}?`,
      text: 'Its shifts can no longer be planned, moved or removed.',
      verb: 'Close month',
    })
    if (sure && (await attempt(() => shiftsApi.closeMonth({ month }), ['shifts']))) toast.success(`${name} is closed`)
  }
  const open = async () => {
    const sure = await confirm({
      title: `Open ${name} again?`,
      text: 'Its shifts can be changed again, which changes its hours.',
      verb: 'Open month',
      danger: true,
    })
    if (sure && (await succeeds(() => shiftsApi.openMonth({ month }), ['shifts']))) toast.success(`${name} is open`)
  }
  return (
    <Section
      title={name}
      aside={<StatusBadge state={closed ? 'skipped' : 'active'} label={closed ? 'Closed' : 'Open'} />}
    >
      <Group justify="space-between" gap={12}>
        <Text c="dimmed" style={{ flex: '1 1 180px' }}>
          {closed
            ? `By ${closed.closedBy}, ${moment(closed.closedAt)}. Nothing in it changes.`
            : isOver
              ? 'The month is over and may still change.'
              : 'The month can be closed when it is over.'}
        </Text>
        {closed ? (
          <ActButton variant="default" reason={lacking(shiftsApi.openMonth)} onClick={() => void open()}>
            Open month…
          </ActButton>
        ) : (
          <ActButton
            variant="default"
            reason={lacking(shiftsApi.closeMonth) ?? (isOver ? undefined : 'The month is not over yet')}
            onClick={() => void close()}
          >
            Close month…
          </ActButton>
        )}
      </Group>
    </Section>
  )
}
