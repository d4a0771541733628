import { SimpleGrid, Text } from '@mantine/core'
import { BarChart } from '../kit/charts/BarChart.tsx'
import { FigureRow } from '../kit/charts/FigureRow.tsx'
import { LineChart } from '../kit/charts/LineChart.tsx'
import { RunStrip } from '../kit/charts/RunStrip.tsx'
import { deltaOf, type Run } from '../kit/charts/runs.ts'
import { Section } from '../kit/frame/Section.tsx'

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const score = {
  name: 'Score',
  values: [82, 84, 79, 88, null, 91, 90],
  before: [80, 79, 81, 83, 82, 85, 84],
  spread: [
    { low: 70, high: 91, n: 31 },
    { low: 76, high: 92, n: 44 },
    { low: 66, high: 88, n: 29 },
    { low: 81, high: 95, n: 38 },
    null,
    { low: 85, high: 97, n: 12 },
    { low: 83, high: 96, n: 9 },
  ],
}
const data = { labels: days, series: [score], beforeName: 'the week before', spreadName: 'middle half' }
const axis = { min: 50, max: 100, ticks: 6, unit: 'points of 100' }

const states = ['success', 'success', 'success', 'failed', 'success', 'degraded', 'success', 'skipped'] as const
const runs = Array.from({ length: 34 }, (_, n): Run => {
  const state = n === 33 ? 'running' : (states[(n * 5) % 8] ?? 'success')
  return {
    id: n,
    state,
    at: new Date(Date.parse('2026-11-20T02:00:00Z') + n * 3_600_000).toISOString(),
    ms: state === 'skipped' ? null : 40_000 + ((n * 37_000) % 190_000),
    href: '/kit',
    ...(state === 'degraded' && { note: '12 of 14 websites' }),
  }
})

/** Figure rows, run strips, and charts with axis, comparison and spread. */
export const Figures = () => (
  <>
    <Section title="FigureRow">
      <FigureRow
        figures={[
          { label: 'Chats', value: '1,204', delta: deltaOf(1204, 1075, 'up'), hint: 'since the week before' },
          { label: 'First answer', value: '3 min 12 s', delta: deltaOf(192, 170, 'down'), hint: 'median' },
          { label: 'Score', value: '86.4', of: 'n 163', delta: deltaOf(86.4, 86.4, 'up') },
          { label: 'Repositories', value: '12', of: 'of 16', hint: 'the others are locked' },
        ]}
      />
    </Section>
    <Section title="RunStrip" hint="the last 30 of 34 runs">
      <RunStrip label="Last 30 backups" runs={runs} />
      <Text c="dimmed" fz="xs" mt={10}>
        One run, and none:
      </Text>
      <RunStrip label="One backup" runs={runs.slice(3, 4)} />
      <RunStrip label="No backup" runs={[]} />
    </Section>
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing={16}>
      <Section title="LineChart: axis, other period, spread">
        <LineChart title="Score by day" data={data} axis={axis} />
      </Section>
      <Section title="BarChart: axis, other period, spread">
        <BarChart title="Score by day" data={data} axis={axis} />
      </Section>
    </SimpleGrid>
    <Section title="BarChart: table beside">
      <BarChart
        title="Balance by day"
        table="beside"
        data={{ labels: days, series: [{ name: 'Balance', values: [4, -2, 3, -4, 1, null, 2] }] }}
      />
    </Section>
  </>
)
