import type { Workplace } from '@innkeeper/contract/planning/calendarEvents/national'
import { Checkbox, Group, MultiSelect, Select } from '@mantine/core'
import { departmentsApi } from '../../../access/departments/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { ZoneField } from '../../../kit/form/ZoneField.tsx'
import { ownZone } from '../../../kit/form/zones.ts'
import { dateFormat } from '../../../kit/look/dateFormat.ts'
import { eventsApi } from '../api.ts'
import { confirmLeaves } from '../confirmLeaves.ts'
import { weekdayCodes } from '../repeatables/repeat.ts'

interface Country {
  code: string
  name: string
  regions: { code: string; name: string }[]
}
interface Props {
  /** Absent for a department without a workplace. */
  place?: Workplace
  countries: readonly Country[]
  close: () => void
}
const option = ({ code, name }: { code: string; name: string }) => ({ value: code, label: name })

/** Every half hour from 8 to 18. */
const hours = Array.from({ length: 21 }, (_, n) => 480 + n * 30)
const two = (n: number) => String(n).padStart(2, '0')
const hourOption = (minute: number) => ({
  value: String(minute),
  label: `${two(Math.floor(minute / 60))}:${two(minute % 60)}`,
})

/** Days on which offices often close at noon. */
const halfHolidays = ['01-05', '04-30', '12-23', '12-24', '12-31']
const dayForm = dateFormat({ day: 'numeric', month: 'long' })
const dayOption = (day: string) => ({ value: day, label: dayForm.one(new Date(`2027-${day}`)) })

export function WorkplaceModal({ place, countries, close }: Props) {
  const lacking = useReason()
  const form = useCallForm(eventsApi.setWorkplace, {
    initial: {
      departmentId: place?.departmentId ?? null,
      country: place?.country ?? null,
      region: place?.region ?? null,
      weekend: place?.weekend ?? [6, 7],
      halfDayMinute: place?.halfDayMinute ?? 720,
      halfHolidays: place?.halfHolidays ?? [],
      timeZone: place && place.version > 0 ? place.timeZone : ownZone(),
      version: place?.version ?? 0,
    },
    labels: {
      departmentId: 'Department',
      country: 'Country',
      region: 'Region',
      timeZone: 'Time zone',
      weekend: 'Weekend',
      halfDayMinute: 'Half a day ends at',
      halfHolidays: 'Half holidays',
    },
    send: async ({ version, ...input }) => {
      const seen = await confirmLeaves(() => eventsApi.workplaceLeaves(input))
      return seen && eventsApi.setWorkplace({ ...input, version, ...seen })
    },
    onDone: ({ departmentName }) => {
      void readAgain(['calendarEvents'])
      toast.success(`The workplace of ${departmentName ?? 'the organisation'} is saved`)
      close()
    },
  })
  const { required: _, ...country } = form.field('country')
  const { required: __, ...region } = form.field('region')
  const regions = countries.find(({ code }) => code === form.values.country)?.regions ?? []
  const whose = place ? (place.departmentName ?? 'The organisation') : 'A department'
  return (
    <FormModal
      opened
      close={close}
      title={`${whose} works in`}
      save="Save workplace"
      // requires a department: the organisation's workplace is edited in its own row
      form={{ ...form, valid: form.valid && (place !== undefined || form.values.departmentId !== null) }}
      nothing="Nothing was saved."
    >
      {!place && (
        <PickOne
          label="Department"
          required
          call={departmentsApi.list}
          nameOf={({ name }) => name}
          reason={lacking(departmentsApi.list)}
          value={form.values.departmentId}
          onChange={(id) => form.set('departmentId', id)}
          error={form.field('departmentId').error}
        />
      )}
      <Select
        label="Country"
        placeholder="None: no public holidays"
        searchable
        clearable
        data={countries.map(option)}
        {...country}
        onChange={(code) => {
          form.set('country', code)
          form.set('region', null)
        }}
      />
      {regions.length > 0 && (
        <Select
          label="Region"
          placeholder="The whole country"
          description="Some have holidays of their own"
          searchable
          clearable
          data={regions.map(option)}
          {...region}
        />
      )}
      <Checkbox.Group
        label="Weekend"
        description="Days without work; a national event on one of them can move to a later working day"
        error={form.field('weekend').error}
        value={form.values.weekend.map(String)}
        onChange={(days) => form.set('weekend', days.map(Number))}
      >
        <Group gap={14} mt={6}>
          {weekdayCodes.map(({ label }, n) => (
            <Checkbox key={label} value={String(n + 1)} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <Select
        label="Half a day ends at"
        description="Half a day of leave cuts shifts at this hour"
        allowDeselect={false}
        data={[...new Set([...hours, form.values.halfDayMinute])].sort((a, b) => a - b).map(hourOption)}
        value={String(form.values.halfDayMinute)}
        onChange={(minute) => form.set('halfDayMinute', Number(minute ?? 720))}
        error={form.field('halfDayMinute').error}
      />
      <MultiSelect
        label="Half holidays"
        description="Work ends at that hour: half a day is due, and half a day of leave is taken"
        placeholder={form.values.halfHolidays.length ? undefined : 'None'}
        data={[...new Set([...halfHolidays, ...form.values.halfHolidays])].sort().map(dayOption)}
        clearable
        {...form.field('halfHolidays')}
        required={false}
      />
      <ZoneField field={form.field('timeZone')} description="Decides which day it is" />
    </FormModal>
  )
}
