import type { LeaveCoverage, LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listed, useReason } from '../../../kit/access/reasons.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { dateFormat } from '../../../kit/look/dateFormat.ts'
import { leavesApi } from '../api.ts'
import css from '../leaves.module.css'
import { leaveTexts } from '../texts.ts'
import { linesOfEffects } from './effects.ts'

const weekday = dateFormat({ weekday: 'short', day: 'numeric', month: 'short' })

/** Absences of the department on each day of the leave, and what an approval does to the plan. */
export function Coverage({ leave }: { leave: LeaveRequest }) {
  const { data, error } = useQuery(leavesApi.coverage.query({ id: leave.id }))
  if (error && !data) return <ErrorLine error={error} />
  if (!data) return <Skeleton h={80} m={14} />
  const { team, days } = data
  const alike = alikeOf(days)
  const words = leaveTexts()
  return (
    <>
      <ul className={css.cover}>
        {alike.map(({ from, to, off, away }) => (
          <li key={from} className={css.day} data-off={off ?? undefined}>
            <span className="num">{from === to ? dayOf(from) : `${dayOf(from)} – ${dayOf(to)}`}</span>
            <Text span c="dimmed">
              {off ?? (away.length ? listed(away.map(wordOf)) : words.nobodyElse)}
            </Text>
            <span className="num">{off ? '' : words.there(team - 1 - away.length, team)}</span>
          </li>
        ))}
      </ul>
      <Effects leave={leave} />
    </>
  )
}

/** What the approval of the request, or of its cancellation, does to shifts and to other leaves. */
function Effects({ leave: { id, status } }: { leave: LeaveRequest }) {
  const call = status === 'pending' ? leavesApi.reviewEffects : leavesApi.cancellationEffects
  const lacks = useReason()(call)
  const { data, error } = useQuery({ ...call.query({ ids: [id] }), enabled: !lacks })
  if (lacks) return null
  if (error && !data) return <ErrorLine error={error} />
  if (!data) return <Skeleton h={20} m="8px 14px" />
  return (
    <Text p="8px 14px" c={data.total ? 'warning' : 'dimmed'} style={{ whiteSpace: 'pre-line' }}>
      {linesOfEffects(data).join('\n')}
    </Text>
  )
}

type Day = LeaveCoverage['days'][number]

const dayOf = (date: string) => weekday.one(new Date(date))
const wordOf = ({ name, status }: Day['away'][number]) =>
  status === 'pending' ? leaveTexts().askedFor(name) : status === 'dayOff' ? leaveTexts().dayOff(name) : name

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
