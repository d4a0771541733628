import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorLine } from '../kit/ErrorLine.tsx'
import { clock, counted } from '../kit/format.ts'
import { leavesApi } from './api.ts'
import css from './leaves.module.css'
import { dayWords } from './words.ts'

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
/** Days of a long leave: beyond, only those on which somebody else is away. */
const SHOWN = 21

/** Who else of the department is away on each day, and which planned shifts nobody would do. */
export function Coverage({ id }: { id: number }) {
  const { data, error } = useQuery(leavesApi.coverage.query({ id }))
  if (error && !data) return <ErrorLine error={error} />
  if (!data) return <Skeleton h={80} m={14} />
  const { team, days, shifts } = data
  const shown = days.length <= SHOWN ? days : days.filter(({ away, off }) => away.length > 0 && off === null)
  return (
    <>
      <ul className={css.cover}>
        {shown.map(({ date, off, away }) => (
          <li key={date} className={css.day} data-off={off ?? undefined}>
            <span className="num">{weekday.format(new Date(date))}</span>
            <Text span c="dimmed" truncate title={away.map(({ name }) => name).join(', ')}>
              {off ??
                (away.length
                  ? away.map(({ name, status }) => (status === 'pending' ? `${name} (asked)` : name)).join(', ')
                  : 'Nobody else away')}
            </Text>
            <span className="num">{off ? '' : `${team - 1 - away.length} of ${team} there`}</span>
          </li>
        ))}
        {shown.length < days.length && (
          <li className={css.day}>
            <Text c="dimmed" style={{ gridColumn: '1 / -1' }}>
              On the other {counted(days.length - shown.length, ['day', 'days'])} nobody else is away.
            </Text>
          </li>
        )}
      </ul>
      {shifts.length > 0 && (
        <Text p="8px 14px" c="warning">
          {counted(shifts.length, ['shift falls', 'shifts fall'])} free:{' '}
          {shifts
            .map(
              ({ date, name, startsAt, endsAt }) =>
                `${name} ${dayWords(date)} ${clock(startsAt).slice(0, 5)}–${clock(endsAt).slice(0, 5)}`,
            )
            .join(', ')}
        </Text>
      )}
    </>
  )
}
