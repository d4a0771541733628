import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { dayText, isWeekend } from '../../../kit/calendar/days.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { zoneName } from '../../../kit/look/zone.ts'
import { shiftsApi } from '../api.ts'
import { HourTable } from './HourTable.tsx'

/** Number of people per hour as a heat map; hours below the minimum are highlighted. */
export default function CoverageSection({ from, to }: { from: string; to: string }) {
  const { data, error } = useQuery(shiftsApi.coverage.query({ from, to }))
  const most = Math.max(1, ...(data?.items.flatMap(({ people }) => people) ?? []))
  const tooFew = (data?.items ?? []).reduce(
    (sum, { people, minimum }) => sum + minimum.filter((needed, hour) => (people[hour] ?? 0) < needed).length,
    0,
  )
  return (
    <Section
      title="Coverage"
      hint={
        data &&
        `${tooFew ? `too few in ${tooFew} hours` : 'as many as the minimum'}, hours of ${zoneName(data.timeZone)}`
      }
    >
      {error && <ErrorLine error={error} />}
      <HourTable label="People by day and hour">
        {data?.items.map(({ date, people, minimum }) => (
          <tr key={date}>
            <th scope="row">
              <Text span fz="xs" c={isWeekend(date, data.weekend) ? 'dimmed' : undefined}>
                {dayText(date, 'weekday')} {Number(date.slice(8))}
              </Text>
            </th>
            {people.map((there, hour) => {
              const needed = minimum[hour] ?? 0
              const gap = there >= needed ? undefined : there === 0 ? 2 : 1
              return (
                <td
                  // hours never change their order
                  // biome-ignore lint/suspicious/noArrayIndexKey: see above
                  key={hour}
                  data-gap={gap}
                  title={`${dayText(date, 'long')}, ${hour}:00: ${there}${needed ? ` of ${needed}` : ''}`}
                  style={{ '--heat': `${Math.round((there / most) * 55)}%` } as CSSProperties}
                >
                  {there || (gap ? 0 : '')}
                </td>
              )
            })}
          </tr>
        ))}
      </HourTable>
    </Section>
  )
}
