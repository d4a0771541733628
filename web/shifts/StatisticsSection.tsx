import type { ShiftStatistic } from '@innkeeper/contract/shifts'
import { ActionIcon, Table, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ErrorLine } from '../kit/frame/ErrorLine.tsx'
import { Section } from '../kit/frame/Section.tsx'
import { csvFile } from '../kit/list/csv.ts'
import { save } from '../kit/list/ListTools.tsx'
import { shiftsApi } from './api.ts'
import { hoursText } from './words.ts'

/** Hours of a month by person, against the norm of its working days. */
export function StatisticsSection({ month }: { month: string }) {
  const { data, error } = useQuery(shiftsApi.statistics.query({ date: month }))
  const items = (data?.items ?? []).filter(({ shifts, normHours }) => shifts > 0 || normHours > 0)
  return (
    <Section
      title="Hours"
      hint="published shifts, against the norm"
      pad={false}
      aside={
        <ActionIcon aria-label="Download the hours as CSV" onClick={() => void download(items, month)}>
          <IconDownload size={16} />
        </ActionIcon>
      }
    >
      {error && <ErrorLine error={error} />}
      <Table.ScrollContainer minWidth={560} mah={460} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Person</Table.Th>
              {['Shifts', 'Hours', 'Night', 'Weighted', 'Norm', 'Difference'].map((title) => (
                <Table.Th key={title} ta="right">
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map((row) => (
              <Table.Tr key={row.userId}>
                <Table.Td>{row.name}</Table.Td>
                {[
                  String(row.shifts),
                  hoursText(row.hours),
                  String(row.nightHours),
                  hoursText(row.weightedHours),
                  hoursText(row.normHours),
                ].map((text, n) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
                  <Table.Td key={n} ta="right" className="num">
                    {text}
                  </Table.Td>
                ))}
                <Table.Td ta="right" className="num">
                  <Text span c={row.difference > 8 ? 'warning' : undefined}>
                    {row.difference > 0 && '+'}
                    {hoursText(row.difference)}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  )
}

const heading = ['Person', 'Month', 'Shifts', 'Hours', 'Night hours', 'Weighted hours', 'Norm', 'Difference']

async function download(items: ShiftStatistic[], month: string): Promise<void> {
  const { file } = await csvFile(
    heading,
    (row: ShiftStatistic) => [
      ...[row.name, row.month.slice(0, 7), row.shifts, row.hours, row.nightHours],
      ...[row.weightedHours, row.normHours, row.difference],
    ],
    async () => ({ rows: items, total: items.length }),
  )
  save(file, `hours-${month.slice(0, 7)}.csv`)
}
