import type { ShiftHours } from '@innkeeper/contract/planning/shifts/calls'
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { attempt } from '../../../kit/api/attempt.ts'
import { type Day, readDay } from '../../../kit/calendar/days.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { DateField } from '../../../kit/form/DateField.tsx'
import { csvFile } from '../../../kit/list/csv.ts'
import { save } from '../../../kit/list/ListTools.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { useAct } from '../../../kit/look/useAct.ts'
import { shiftsApi } from '../api.ts'

const heading = [
  'Person',
  'From',
  'To',
  'Shifts',
  'Hours by the clock',
  'Hours worked',
  'Night hours',
  'Weighted hours',
  'Norm',
  'Difference',
]

/** Downloads the hours of everybody as CSV, over any days: wages need not begin with a month. */
export default function HoursModal({ from: first, to: last, close }: { from: Day; to: Day; close: () => void }) {
  const [from, setFrom] = useState(first)
  const [to, setTo] = useState(last)
  const { busy, run } = useAct()
  const isRange = readDay(from) !== undefined && readDay(to) !== undefined && from <= to
  const download = async () => {
    const found = await attempt(() => shiftsApi.hours({ from, to }), [])
    if (!found) return
    const { file } = await csvFile(
      heading,
      (row: ShiftHours) => [
        ...[row.name, from, to, row.shifts, row.hours, row.workedHours],
        ...[row.nightHours, row.weightedHours, row.normHours, row.difference],
      ],
      async () => ({ rows: found.items, total: found.total }),
    )
    save(file, `hours-${from}-${to}.csv`)
    close()
  }
  return (
    <Dialog opened onClose={close} title="Download hours" size={440}>
      <Stack gap={16}>
        <SimpleGrid cols={2}>
          <DateField label="From" data-autofocus value={from} onChange={setFrom} />
          <DateField label="To" value={to} min={from} onChange={setTo} />
        </SimpleGrid>
        <Text c="dimmed" fz="xs">
          Published shifts that begin on these days, compared with the norm for these days.
        </Text>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActButton
            loading={busy}
            reason={isRange ? undefined : 'The first day has to come before the last one.'}
            onClick={() => void run(download)}
          >
            Download CSV
          </ActButton>
        </Group>
      </Stack>
    </Dialog>
  )
}
