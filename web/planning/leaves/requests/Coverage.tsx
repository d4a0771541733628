import type { LeaveCoverage } from '@innkeeper/contract/planning/leaves/calls'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listed } from '../../../kit/access/reasons.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { dateFormat } from '../../../kit/look/dateFormat.ts'
import { clock, counted } from '../../../kit/look/format.ts'
import { leavesApi } from '../api.ts'
import css from '../leaves.module.css'
import { dayWords } from '../words.ts'

const weekday = dateFormat({ weekday: 'short', day: 'numeric', month: 'short' })

/** Absences of the department on each day of the leave, and planned shifts that would be vacant. */
export function Coverage({ id }: { id: number }) {
  const { data, error } = useQuery(leavesApi.coverage.query({ id }))
  if (error && !data) return <ErrorLine error={error} />
  if (!data) return <Skeleton h={80} m={14} />
  const { team, days, shifts } = data
  const alike = alikeOf(days)
  return (
    <>
      <ul className={css.cover}>
        {alike.map(({ from, to, off, away }) => (
          <li key={from} className={css.day} data-off={off ?? undefined}>
            <span className="num">{from === to ? dayOf(from) : `${dayOf(from)} – ${dayOf(to)}`}</span>
            <Text span c="dimmed">
              {off ?? (away.length ? listed(away.map(wordOf)) : 'Nobody else away')}
            </Text>
            <span className="num">{off ? '' : `${team - 1 - away.length} of ${team} there`}</span>
          </li>
        ))}
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

type Day = LeaveCoverage['days'][number]

const dayOf = (date: string) => weekday.one(new Date(date))
const states = { pending: ' (asked for)', dayOff: ' (day off)', approved: '' }
const wordOf = ({ name, status }: Day['away'][number]) => `${name}${states[status]}`

/** Merges consecutive days with equal absences into one line. */
function alikeOf(days: readonly Day[]): (Omit<Day, 'date'> & { from: string; to: string })[] {
  const lines: ReturnType<typeof alikeOf> = []
  for (const { date, ...rest } of days) {
    const last = lines.at(-1)
    if (last && last.off === rest.off && sameAway(last.away, rest.away)) last.to = date
    else lines.push({ ...rest, from: date, to: date })
  }
  return lines
}

const sameAway = (a: Day['away'], b: Day['away']) =>
  a.length === b.length && a.every(({ userId }, n) => userId === b[n]?.userId)
