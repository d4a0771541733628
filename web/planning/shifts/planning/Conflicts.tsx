import type { Outcome } from '@innkeeper/contract/planning/shifts/calls'
import { Alert, Stack, Text } from '@mantine/core'
import { counted } from '../../../kit/look/format.ts'
import css from '../shifts.module.css'
import { hoursText, outcomeText } from '../words.ts'

/** Preview of a plan: errors that refuse it, and warnings. */
export function Conflicts({ outcome }: { outcome: Outcome }) {
  const refusing = outcome.conflicts.filter(({ refuses }) => refuses)
  const others = outcome.conflicts.filter(({ refuses }) => !refuses)
  const hours = outcome.hours.reduce((sum, person) => sum + person.hours, 0)
  return (
    <Stack gap={10}>
      {refusing.length === 0 && (
        <Text>
          {outcomeText(outcome)}: {hoursText(hours)} weighted hours for{' '}
          {counted(outcome.hours.length, ['person', 'people'])}.
        </Text>
      )}
      {refusing.length > 0 && (
        <Alert
          color="error"
          p="10px 14px"
          title={`${counted(refusing.length, ['conflict', 'conflicts'])}: nothing can be planned`}
        >
          <Lines of={refusing} />
        </Alert>
      )}
      <ChargedLeaves of={outcome.leaves} />
      {others.length > 0 && (
        <Alert color="warning" p="10px 14px" title="Worth a look">
          <Lines of={others} />
        </Alert>
      )}
    </Stack>
  )
}

/** Leaves that a plan or a run of an automation charges anew. */
export const ChargedLeaves = ({ of }: { of: Outcome['leaves'] }) =>
  of.length > 0 && (
    <Alert color="warning" p="10px 14px" title="Leaves that take other days then; their people are notified">
      <ul className={css.conflicts}>
        {of.map(({ id, userName, startDate, endDate, days, daysBefore }) => (
          <li key={id}>
            {userName}, {startDate} to {endDate}: {counted(days, ['day', 'days'])} instead of {daysBefore}
          </li>
        ))}
      </ul>
    </Alert>
  )

const Lines = ({ of }: { of: Outcome['conflicts'] }) => (
  <ul className={css.conflicts}>
    {of.map(({ userId, date, kind, name, text, shiftId }) => (
      <li key={`${userId} ${date} ${kind} ${shiftId}`}>
        {name} {text}
      </li>
    ))}
  </ul>
)

/** Why what this preview shows cannot be done. */
export const lackOf = ({
  isFetching,
  data,
}: {
  isFetching: boolean
  data: Outcome | undefined
}): string | undefined => {
  if (isFetching) return 'The preview is being made.'
  if (!data) return 'Choose the days first.'
  if (isClear(data)) return undefined
  return data.made + data.removed > 0 ? 'The conflicts above forbid it.' : 'No shift would change.'
}

/** Whether the plan has no errors. */
const isClear = (outcome: Outcome | undefined): boolean =>
  outcome !== undefined && outcome.made + outcome.removed > 0 && !outcome.conflicts.some(({ refuses }) => refuses)
