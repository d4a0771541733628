import type { Roster } from '@innkeeper/contract/planning/shifts/calls'
import { Select, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DateField } from '../../../kit/form/DateField.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { TimeField } from '../../../kit/form/TimeField.tsx'
import type { FieldProps } from '../../../kit/form/useCallForm.ts'
import { shiftsApi } from '../api.ts'

interface Props {
  roster: Roster
  /** Null: an open shift, which has nobody yet. */
  userId: FieldProps<number | null | undefined>
  /** Offers an open shift in place of a person. */
  mayStayOpen?: boolean
  date: FieldProps<string>
  shiftTypeId: FieldProps<number | null>
  startTime: FieldProps<string>
  endTime: FieldProps<string>
  breakMinutes: FieldProps<number | ''>
}

const OPEN = 'open'

/** Person, day and type of a shift; empty times default to those of the type. */
export function ShiftFields(props: Props) {
  const { roster, userId, mayStayOpen, date, shiftTypeId, startTime, endTime, breakMinutes } = props
  const nobody = mayStayOpen ? undefined : null // a form without a person is not complete
  const types = useQuery(shiftsApi.types.query({ isActive: 'true' }))
  const type = types.data?.items.find(({ id }) => id === shiftTypeId.value)
  return (
    <>
      <Select
        label="Person"
        searchable
        withAsterisk={userId.required}
        data={[
          ...(mayStayOpen ? [{ value: OPEN, label: 'Nobody yet: an open shift' }] : []),
          ...roster.people.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={userId.value === null && mayStayOpen ? OPEN : (userId.value?.toString() ?? null)}
        onChange={(next) => userId.onChange(next === OPEN ? null : next === null ? nobody : Number(next))}
        onBlur={userId.onBlur}
        error={userId.error}
      />
      <SimpleGrid cols={2}>
        <DateField label="Day" {...date} />
        <Select
          label="Shift type"
          withAsterisk={shiftTypeId.required}
          data={(types.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={shiftTypeId.value === null ? null : String(shiftTypeId.value)}
          onChange={(next) => shiftTypeId.onChange(next === null ? null : Number(next))}
          onBlur={shiftTypeId.onBlur}
          error={shiftTypeId.error ?? types.error?.message}
        />
      </SimpleGrid>
      <SimpleGrid cols={3}>
        <TimeField label="From" placeholder={type?.startTime} {...startTime} />
        <TimeField label="To" placeholder={type?.endTime} {...endTime} />
        <NumberField
          label="Break, min"
          min={0}
          max={720}
          placeholder={type && String(type.breakMinutes)}
          value={breakMinutes.value}
          onChange={(next) => breakMinutes.onChange(next === '' ? '' : Number(next))}
          onBlur={breakMinutes.onBlur}
          error={breakMinutes.error}
        />
      </SimpleGrid>
    </>
  )
}

export const labels = {
  userId: 'Person',
  date: 'Day',
  shiftTypeId: 'Shift type',
  startTime: 'From',
  endTime: 'To',
  breakMinutes: 'Break',
  status: 'Status',
}
