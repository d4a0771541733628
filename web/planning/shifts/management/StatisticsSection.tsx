import { ActionIcon, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { monthEnd } from '../../../kit/calendar/days.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { shiftsApi } from '../api.ts'
import { hoursText } from '../words.ts'

const HoursModal = lazyDialog(() => import('./HoursModal.tsx'))

/** Hours of a month by person, compared with the norm for its working days. */
export function StatisticsSection({ month }: { month: string }) {
  const { data, error } = useQuery(shiftsApi.statistics.query({ date: month }))
  const [open, setOpen] = useState(false)
  const items = (data?.items ?? []).filter(({ shifts, normHours }) => shifts > 0 || normHours > 0)
  return (
    <Section
      title="Hours"
      hint="published shifts, against the norm"
      pad={false}
      aside={
        <ActionIcon aria-label="Download the hours as CSV" onClick={() => setOpen(true)}>
          <IconDownload size={16} />
        </ActionIcon>
      }
    >
      {open && <HoursModal from={month} to={monthEnd(month)} close={() => setOpen(false)} />}
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
          {
            title: 'Worked',
            align: 'right',
            cell: ({ hours, workedHours }) => (
              <Text span {...(hours !== workedHours && { fw: 600, title: 'The clocks were changed during a shift' })}>
                {hoursText(workedHours)}
              </Text>
            ),
          },
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
