import type { WorkingWeek } from '@innkeeper/contract/planning/leaves/calls'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { lazyDialog } from '../../../kit/frame/lazyScreen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import { leavesApi } from '../api.ts'
import { dayWords, weekdays } from '../words.ts'

const WorkingDaysModal = lazyDialog(() => import('./WorkingDaysModal.tsx'))

/** `Mon, Tue 7.5 h, Wed 4 h`, or that the workplace decides. */
function weekWords(minutes: readonly number[] | null): string {
  if (!minutes) return 'As the workplace'
  const worked = weekdays.flatMap((name, n) => (minutes[n] ? [{ name, hours: minutes[n] / 60 }] : []))
  if (!worked.length) return 'No working days'
  const same = [...Map.groupBy(worked, ({ hours }) => hours)]
  return same
    .map(([hours, days]) => `${days.map(({ name }) => name).join(', ')} ${Number(hours.toFixed(2))} h`)
    .join('; ')
}

const weekHours = ({ minutes }: WorkingWeek) =>
  minutes ? Number((minutes.reduce((sum, one) => sum + one, 0) / 60).toFixed(2)) : '–'

/** Working days and hours of a person, with their history. */
export function WorkingDays({ id }: { id: number }) {
  const query = useQuery(leavesApi.workingDays.query({ id }))
  const lacking = useReason()(leavesApi.setWorkingDays)
  const [open, setOpen] = useState(false)
  const found = query.data
  return (
    <Section
      title="Working days"
      hint="norm, balances and leaves follow them"
      pad={false}
      aside={
        <ActButton size="xs" variant="default" reason={lacking} onClick={() => setOpen(true)}>
          Change working days…
        </ActButton>
      }
    >
      {query.error && <ErrorLine error={query.error} />}
      {found && !found.items.length && (
        <Text c="dimmed" p={16}>
          As the workplace: no working days of one’s own.
        </Text>
      )}
      {found && found.items.length > 0 && (
        <SectionTable
          label="Working days"
          narrow="scroll"
          rows={found.items}
          keyOf={(week) => week.id}
          columns={[
            { title: 'From', cell: ({ from }) => dayWords(from) },
            { title: 'Days', cell: ({ minutes }) => weekWords(minutes) },
            { title: 'Hours a week', align: 'right', cell: weekHours },
          ]}
        />
      )}
      {found && open && <WorkingDaysModal found={found} close={() => setOpen(false)} />}
    </Section>
  )
}
