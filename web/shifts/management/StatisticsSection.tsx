import type { ShiftStatistic } from '@innkeeper/contract/shifts'
import { ActionIcon, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { ErrorLine } from '../../kit/frame/ErrorLine.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { csvFile } from '../../kit/list/csv.ts'
import { save } from '../../kit/list/ListTools.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { shiftsApi } from '../api.ts'
import { hoursText } from '../words.ts'

/** Hours of a month by person, compared with the norm for its working days. */
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
      <SectionTable
        label="Hours by person"
        narrow="scroll"
        maxHeight={460}
        rows={items}
        keyOf={({ userId }) => userId}
        columns={[
          { title: 'Person', cell: ({ name }) => name },
          { title: 'Shifts', align: 'right', cell: ({ shifts }) => shifts },
          { title: 'Hours', align: 'right', cell: ({ hours }) => hoursText(hours) },
          { title: 'Night', align: 'right', cell: ({ nightHours }) => nightHours },
          { title: 'Weighted', align: 'right', cell: ({ weightedHours }) => hoursText(weightedHours) },
          { title: 'Norm', align: 'right', cell: ({ normHours }) => hoursText(normHours) },
          {
            title: 'Difference',
            align: 'right',
            cell: ({ difference }) => (
              <Text span c={difference > 8 ? 'warning' : undefined}>
                {difference > 0 && '+'}
                {hoursText(difference)}
              </Text>
            ),
          },
        ]}
      />
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
