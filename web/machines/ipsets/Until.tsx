import { Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { MomentField } from '../../kit/form/MomentField.tsx'

const HOUR = 3_600_000
const spans: Record<string, { label: string; ms: number }> = {
  hour: { label: 'For an hour', ms: HOUR },
  day: { label: 'For a day', ms: 24 * HOUR },
  week: { label: 'For a week', ms: 7 * 24 * HOUR },
  month: { label: 'For 30 days', ms: 30 * 24 * HOUR },
}
const data = [
  ...Object.entries(spans).map(([value, { label }]) => ({ value, label })),
  { value: 'good', label: 'For good' },
  { value: 'moment', label: 'Until a moment…' },
]

interface Props {
  value: string | null
  onChange: (expiresAt: string | null) => void
  error?: string
}

/** End of a ban: a common duration, a date and time, or never. */
export function Until({ value, onChange, error }: Props) {
  const [choice, setChoice] = useState<string>(value === null ? 'good' : 'moment')
  const choose = (next: string | null) => {
    if (!next) return
    setChoice(next)
    const span = spans[next]
    if (span) onChange(new Date(Date.now() + span.ms).toISOString())
    if (next === 'good') onChange(null)
  }
  return (
    <Stack gap={8}>
      <Select
        label="How long"
        allowDeselect={false}
        data={data}
        value={choice}
        onChange={choose}
        error={choice === 'moment' ? undefined : error}
      />
      {choice === 'moment' && (
        <MomentField label="Until" value={value ?? ''} onChange={(until) => onChange(until || null)} error={error} />
      )}
    </Stack>
  )
}
