import { Select, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { type Day, readDay, today } from '../../../kit/calendar/days.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import type { FieldProps, TextProps } from '../../../kit/form/useCallForm.ts'
import { shiftsApi } from '../api.ts'
import { PatternField } from './PatternField.tsx'

type Turn = 'work' | 'skip'
export interface WantedAutomation {
  name: string
  userId: number | null
  teamId: number | null
  departmentId: number | null
  pattern: (number | null)[]
  startDate: string
  endDate: string
  stagger: number
  onHoliday: Turn
  onLeave: Turn
  status: 'draft' | 'published'
  weeksAhead: number
  isActive: boolean
}
export const automationLabels = {
  name: 'Name',
  userId: 'For',
  teamId: 'For',
  departmentId: 'For',
  pattern: 'Pattern',
  startDate: 'First day',
  endDate: 'Last day',
  stagger: 'Days behind',
  weeksAhead: 'Weeks ahead',
}

interface Form {
  values: WantedAutomation
  set: <K extends keyof WantedAutomation>(key: K, value: WantedAutomation[K]) => void
  text: (key: 'name') => TextProps
  field: {
    (key: 'startDate' | 'endDate'): FieldProps<string>
    (key: 'userId'): FieldProps<number | null>
    (key: 'pattern'): FieldProps<(number | null)[]>
    (key: 'stagger' | 'weeksAhead'): FieldProps<number>
  }
}

/** Who gets which shifts from which day, and how holidays and leaves change the plan. */
export function AutomationFields({ form: { values, set, text, field } }: { form: Form }) {
  const [pattern, stagger, weeksAhead] = [field('pattern'), field('stagger'), field('weeksAhead')]
  const who = useWho()
  const chosen = values.userId
    ? `user ${values.userId}`
    : values.teamId
      ? `team ${values.teamId}`
      : values.departmentId
        ? `department ${values.departmentId}`
        : null
  const choose = (next: string | null) => {
    const [kind, id] = (next ?? '').split(' ')
    const of = (wanted: string) => (kind === wanted ? Number(id) : null)
    set('userId', of('user'))
    set('teamId', of('team'))
    set('departmentId', of('department'))
  }
  const start: Day = readDay(values.startDate) ?? today()
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="Name" autoComplete="off" data-autofocus {...text('name')} />
        <Select
          label="For"
          searchable
          withAsterisk
          data={who}
          value={chosen}
          onChange={choose}
          error={field('userId').error}
        />
      </SimpleGrid>
      <SimpleGrid cols={2}>
        <DateField label="First day" {...field('startDate')} />
        <DateField label="Last day" {...field('endDate')} />
      </SimpleGrid>
      <PatternField value={pattern.value} onChange={pattern.onChange} start={start} error={pattern.error} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberField
          label="Offset from person to person, days"
          min={0}
          max={83}
          value={stagger.value}
          onChange={(next) => stagger.onChange(Number(next) || 0)}
          error={stagger.error}
        />
        <NumberField
          label="Plan ahead, weeks"
          min={1}
          max={104}
          value={weeksAhead.value}
          onChange={(next) => weeksAhead.onChange(Number(next) || 1)}
          error={weeksAhead.error}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Switch
          label="Free on holidays"
          checked={values.onHoliday === 'skip'}
          onChange={(event) => set('onHoliday', event.currentTarget.checked ? 'skip' : 'work')}
        />
        <Switch
          label="Free while on leave"
          checked={values.onLeave === 'skip'}
          onChange={(event) => set('onLeave', event.currentTarget.checked ? 'skip' : 'work')}
        />
        <Switch
          label="As drafts"
          checked={values.status === 'draft'}
          onChange={(event) => set('status', event.currentTarget.checked ? 'draft' : 'published')}
        />
        <Switch
          label="Active"
          checked={values.isActive}
          onChange={(event) => set('isActive', event.currentTarget.checked)}
        />
      </SimpleGrid>
    </>
  )
}

/** People, shift teams and departments, as far as this person may see them. */
function useWho() {
  const now = today()
  const lacking = useReason()
  const roster = useQuery({
    ...shiftsApi.roster.query({ from: now, to: now, only: 'people' }),
    enabled: !lacking(shiftsApi.roster),
  })
  const teams = useQuery({ ...shiftsApi.teams.query({ date: now }), enabled: !lacking(shiftsApi.teams) })
  const people = roster.data?.people ?? []
  const departments = new Map(
    people.flatMap(({ departmentId, departmentName }) =>
      departmentId && departmentName ? [[departmentId, departmentName]] : [],
    ),
  )
  return [
    { group: 'Departments', items: [...departments].map(([id, label]) => ({ value: `department ${id}`, label })) },
    {
      group: 'Shift teams',
      items: (teams.data?.items ?? []).map(({ id, name, departmentName }) => ({
        value: `team ${id}`,
        label: `${name}, ${departmentName}`,
      })),
    },
    { group: 'People', items: people.map(({ id, name }) => ({ value: `user ${id}`, label: name })) },
  ]
}
