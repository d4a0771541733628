import type { ShiftMinimum } from '@innkeeper/contract/planning/shifts/calls'
import { Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { today } from '../../../kit/calendar/days.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormNotes } from '../../../kit/form/FormNotes.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { shiftsApi } from '../api.ts'
import { HourTable } from './HourTable.tsx'

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const hours = Array.from({ length: 24 }, (_, hour) => String(hour))

/** Minimum number of people per hour of the week, for everybody or for a department. */
export function MinimumModal({ close }: { close: () => void }) {
  const now = today()
  const [department, setDepartment] = useState<string | null>(null)
  const roster = useQuery(shiftsApi.roster.query({ from: now, to: now, only: 'people' }))
  const departments = new Map(
    (roster.data?.people ?? []).flatMap(({ departmentId, departmentName }) =>
      departmentId && departmentName ? [[departmentId, departmentName]] : [],
    ),
  )
  const query = useQuery(shiftsApi.minimum.query(department ? { departmentId: Number(department) } : {}))
  return (
    <Dialog opened onClose={close} title="Minimum staffing" size={860}>
      <Stack gap={16}>
        <Select
          label="Of"
          placeholder="Everybody"
          clearable
          data={[...departments].map(([id, label]) => ({ value: String(id), label }))}
          value={department}
          onChange={setDepartment}
        />
        {query.data && <Week key={department} stored={query.data} close={close} />}
      </Stack>
    </Dialog>
  )
}

function Week({ stored, close }: { stored: ShiftMinimum; close: () => void }) {
  const form = useCallForm(shiftsApi.setMinimum, {
    initial: { minimum: stored.minimum },
    fixed: { departmentId: stored.departmentId, version: stored.version },
    labels: { minimum: 'Hour of the week' },
    onDone: () => {
      void readAgain(['shifts'])
      toast.success('The minimum is saved')
      close()
    },
  })
  const { minimum } = form.values
  const [wanted, setWanted] = useState({ from: '0', to: '23', days: 'all', people: 1 })
  const fill = () =>
    form.set(
      'minimum',
      minimum.map((old, n) => {
        const day = Math.floor(n / 24)
        const isFree = stored.weekend.includes(day + 1)
        const isDay = wanted.days === 'all' || isFree === (wanted.days === 'end')
        return isDay && n % 24 >= Number(wanted.from) && n % 24 <= Number(wanted.to) ? wanted.people : old
      }),
    )
  return (
    <>
      <FormNotes form={form} nothing="Nothing was saved." />
      <SimpleGrid cols={{ base: 2, sm: 5 }} style={{ alignItems: 'end' }}>
        <Select
          label="Days"
          allowDeselect={false}
          data={[
            { value: 'all', label: 'Every day' },
            { value: 'week', label: 'Working days' },
            { value: 'end', label: 'Weekends' },
          ]}
          value={wanted.days}
          onChange={(next) => setWanted({ ...wanted, days: next ?? 'all' })}
        />
        <Select
          label="From hour"
          allowDeselect={false}
          data={hours}
          value={wanted.from}
          onChange={(next) => setWanted({ ...wanted, from: next ?? '0' })}
        />
        <Select
          label="To hour, included"
          allowDeselect={false}
          data={hours}
          value={wanted.to}
          onChange={(next) => setWanted({ ...wanted, to: next ?? '23' })}
        />
        <NumberField
          label="People"
          min={0}
          max={999}
          value={wanted.people}
          onChange={(next) => setWanted({ ...wanted, people: Number(next) || 0 })}
        />
        <Button variant="default" onClick={fill}>
          Fill in
        </Button>
      </SimpleGrid>
      <HourTable label="Minimum by day and hour">
        {weekdays.map((day, n) => (
          <tr key={day}>
            <th scope="row">{day}</th>
            {hours.map((hour) => (
              <td key={hour}>{minimum[n * 24 + Number(hour)] || ''}</td>
            ))}
          </tr>
        ))}
      </HourTable>
      <Group justify="space-between">
        <Text c="dimmed" fz="xs">
          Calendars highlight hours with fewer planned people.
        </Text>
        <Group gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button loading={form.busy} onClick={() => void form.save()}>
            Save minimum
          </Button>
        </Group>
      </Group>
    </>
  )
}
