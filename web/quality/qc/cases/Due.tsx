import { Text } from '@mantine/core'
import { ago, moment } from '../../../kit/look/format.ts'

interface Dated {
  dueAt: string | null
  status: string
}

/** Whether an open escalation, feedback or calibration is past its date. */
export const isLate = ({ dueAt, status }: Dated): boolean =>
  dueAt !== null && (status === 'open' || status === 'in-progress') && Date.parse(dueAt) < Date.now()

/** The date until which something is to be done, marked once it has passed. */
export function Due({ of }: { of: Dated }) {
  const { dueAt } = of
  if (!dueAt) return <Text c="dimmed">–</Text>
  return (
    <Text c={isLate(of) ? 'error' : 'dimmed'} title={moment(dueAt)}>
      {isLate(of) ? `Late: ${ago(dueAt)}` : ago(dueAt)}
    </Text>
  )
}

/** Filter of a list: what is past its date. */
export const lateFilter = {
  key: 'overdue',
  label: 'Due',
  single: true,
  options: [{ value: 'true', label: 'Late' }],
} as const
