import type { PreviewYear } from '@innkeeper/contract/planning/calendarEvents/national'
import { Table, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { dayText } from '../../../kit/calendar/days.ts'
import { Section } from '../../../kit/frame/Section.tsx'
import { eventsApi } from '../api.ts'
import { isComplete, type WantedNational } from './form.ts'

/** Days of the next ten years by the unsaved rule. */
export function NationalPreview({ id, wanted }: { id?: number; wanted: WantedNational }) {
  const { name: _, description: __, day, validTo, ...rest } = wanted
  const [typed] = useDebouncedValue(JSON.stringify({ ...rest, day: day || null, validTo: validTo || null }), 300)
  const { data, error } = useQuery({
    // the contract or the server refuses an incomplete rule; there is no retry
    ...eventsApi.previewNational.query({ ...(JSON.parse(typed) as Omit<WantedNational, 'name'>), ...(id && { id }) }),
    placeholderData: keepPreviousData,
    retry: false,
    enabled: isComplete(wanted),
  })
  return (
    <Section title="The next ten years" pad={false}>
      {error || !data || !isComplete(wanted) ? (
        <Text c="dimmed" p={14}>
          The dates appear here once the rule is complete.
        </Text>
      ) : (
        <Table verticalSpacing={7} horizontalSpacing={14} layout="fixed">
          <Table.Tbody>
            {data.items.map((year) => (
              <Year key={year.year} {...year} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  )
}

const weekday = (day: string) => `${dayText(day, 'weekday')} ${dayText(day, 'short')}`

const Year = ({ year, date, substitute, with: others }: PreviewYear) => (
  <Table.Tr>
    <Table.Td w={60} c="dimmed" className="num">
      {year}
    </Table.Td>
    <Table.Td w={120}>{date ? weekday(date) : <Text c="dimmed">Not this year</Text>}</Table.Td>
    <Table.Td>
      {substitute && <Text>Free: {weekday(substitute)}</Text>}
      {others.length > 0 && (
        <Text c="dimmed" fz="xs" truncate title={others.join(', ')}>
          Also {others.join(', ')}
        </Text>
      )}
    </Table.Td>
  </Table.Tr>
)
