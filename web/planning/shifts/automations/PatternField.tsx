import { Group, Input } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { addDays, type Day, dayText, weekdayOf } from '../../../kit/calendar/days.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { shiftsApi } from '../api.ts'
import css from './automation.module.css'

interface Props {
  value: (number | null)[]
  onChange: (pattern: (number | null)[]) => void
  /** First day of the pattern. */
  start: Day
  error?: string
}
const WEEK = 7

/** A pattern in weeks of shift types, day by day; a dash marks a free day. */
export function PatternField({ value, onChange, start, error }: Props) {
  const lacking = useReason()(shiftsApi.types)
  const types = useQuery({ ...shiftsApi.types.query({ isActive: 'true' }), enabled: !lacking })
  const days = Array.from({ length: WEEK }, (_, n) => addDays(start, n))
  const set = (at: number, type: number | null) => onChange(value.map((old, n) => (n === at ? type : old)))
  const weeks = Array.from({ length: Math.ceil(value.length / WEEK) }, (_, n) => n)
  return (
    <Input.Wrapper
      label="Pattern"
      withAsterisk
      error={error ?? lacking}
      description="Begins on the first day and repeats. A dash is a day off"
    >
      <fieldset className={css.pattern} aria-label="Pattern" style={{ border: 0, margin: 0, padding: '6px 0' }}>
        <span />
        {days.map((day) => (
          <span key={day}>{dayText(day, 'weekday')}</span>
        ))}
        {weeks.map((week) => (
          <Week
            key={week}
            week={week}
            types={types.data?.items ?? []}
            days={value.slice(week * WEEK, week * WEEK + WEEK)}
            set={(n, type) => set(week * WEEK + n, type)}
          />
        ))}
      </fieldset>
      <Group gap={8}>
        <ActButton
          size="xs"
          variant="default"
          reason={value.length >= 84 ? 'Twelve weeks are the most.' : undefined}
          onClick={() => onChange([...value, ...Array.from({ length: WEEK }, () => null)])}
        >
          Add a week
        </ActButton>
        <ActButton
          size="xs"
          variant="default"
          reason={value.length <= WEEK ? 'One week has to stay.' : undefined}
          onClick={() => onChange(value.slice(0, -WEEK))}
        >
          Remove the last week
        </ActButton>
      </Group>
    </Input.Wrapper>
  )
}

interface WeekProps {
  week: number
  types: readonly { id: number; name: string; code: string; colour: string }[]
  days: readonly (number | null)[]
  set: (n: number, type: number | null) => void
}

const Week = ({ week, types, days, set }: WeekProps) => (
  <>
    <span style={{ gridColumn: 1 }}>{week + 1}</span>
    {days.map((type, n) => (
      <select
        // a day of a pattern is identified by its position
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        key={n}
        aria-label={`Week ${week + 1}, day ${n + 1}`}
        value={type ?? ''}
        data-colour={types.find(({ id }) => id === type)?.colour}
        title={types.find(({ id }) => id === type)?.name ?? 'Day off'}
        onChange={(event) => set(n, event.currentTarget.value ? Number(event.currentTarget.value) : null)}
      >
        <option value="">–</option>
        {types.map(({ id, name, code }) => (
          <option key={id} value={id} title={name}>
            {code}
          </option>
        ))}
      </select>
    ))}
  </>
)

/** Monday of next week, the default start of a pattern. */
export const nextMonday = (now: Day): Day => addDays(now, 8 - weekdayOf(now))
