import { Group } from '@mantine/core'
import { useState } from 'react'
import { DateField } from '../../kit/form/DateField.tsx'
import { swedish } from '../../kit/look/format.ts'

/** First and last day of the statistics; the last 90 days by default. */
export function useSpan() {
  const [from, setFrom] = useState(() => swedish(new Date(Date.now() - 89 * 86_400_000)).slice(0, 10))
  const [to, setTo] = useState(() => swedish(new Date()).slice(0, 10))
  const fields = (
    <Group gap={8} align="end">
      <DateField label="From" value={from} onChange={setFrom} />
      <DateField label="To" value={to} onChange={setTo} />
    </Group>
  )
  return { span: { from, to }, fields }
}
