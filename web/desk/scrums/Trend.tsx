import type { ScrumTrend } from '@innkeeper/contract/desk/scrums/shapes'
import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { LineChart } from '../../kit/charts/LineChart.tsx'
import { writeDay } from '../../kit/form/dates.ts'
import { MultiSelectField } from '../../kit/form/MultiSelectField.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { percent } from './words.ts'

const axis = { min: 0, max: 100, ticks: 5, unit: '% of the highest score' }

/** The total over time, and up to three components beside it. */
export function Trend({ trend: { audits, components } }: { trend: ScrumTrend }) {
  const [chosen, setChosen] = useState<string[]>(() => components.slice(0, 2).map(({ id }) => String(id)))
  if (audits.length < 2)
    return (
      <Section title="Trend">
        <Text c="dimmed">
          {audits.length ? 'One audit is submitted. A trend needs two.' : 'No audit is submitted yet.'}
        </Text>
      </Section>
    )
  const shown = components.filter(({ id }) => chosen.includes(String(id)))
  return (
    <Section title="Trend">
      <Stack gap={14}>
        <MultiSelectField
          label="Components beside the total"
          maw={520}
          maxValues={3}
          data={components.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={chosen}
          onChange={setChosen}
        />
        <LineChart
          title="Audits over time"
          axis={axis}
          format={percent}
          data={{
            labels: audits.map(({ name, periodEnd }) => `${name}, ${writeDay(periodEnd)}`),
            series: [{ name: 'Total', values: audits.map(({ total }) => total) }, ...shown],
          }}
        />
      </Stack>
    </Section>
  )
}
