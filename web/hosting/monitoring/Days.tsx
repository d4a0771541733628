import type { Monitor } from '@innkeeper/contract/hosting/monitoring'
import { Text } from '@mantine/core'
import { count } from '../../kit/look/format.ts'
import css from './monitoring.module.css'

type Day = Monitor['days'][number]

/** Share of successful requests; undefined without requests. */
function availability(days: readonly Day[]): number | undefined {
  const checks = days.reduce((sum, day) => sum + day.checks, 0)
  return checks ? 1 - days.reduce((sum, day) => sum + day.failures, 0) / checks : undefined
}

/** "100 %", "99.95 %": never rounded up to 100. */
function inPercent(share: number): string {
  return share === 1 ? '100 %' : `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`
}

/** A bar per day, coloured by the share of failed requests. */
export function Days({ days }: { days: readonly Day[] }) {
  const share = availability(days)
  if (share === undefined) return null
  return (
    <div>
      <div className={css.days}>
        {days.map((day) => (
          <span key={day.day} className={css.day} data-level={levelOf(day)} title={titleOf(day)} />
        ))}
      </div>
      <Text c="dimmed" fz="xs">
        {inPercent(share)} of requests succeeded in{' '}
        {days.length === 1 ? 'the last day' : `the last ${days.length} days`}
      </Text>
    </div>
  )
}

const levelOf = (day: Day) => (day.failures === 0 ? 'fine' : day.failures * 20 < day.checks ? 'some' : 'many')
const titleOf = ({ day, checks, failures, ms }: Day) =>
  `${day}: ${count(failures)} of ${count(checks)} requests failed${ms === null ? '' : `, ${count(ms)} ms on average`}`
