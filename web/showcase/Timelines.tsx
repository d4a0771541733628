import { SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { Section } from '../kit/frame/Section.tsx'
import { stateOf } from '../kit/look/stateWords.ts'
import { SpanChart } from '../kit/timeline/SpanChart.tsx'
import { Timeline, type TimelineEntry } from '../kit/timeline/Timeline.tsx'

const words = ['Issued', 'Replaced', 'Failed', 'Running'] as const
const states = ['active', 'done', 'failed', 'running'] as const
const entries = (count: number): TimelineEntry[] =>
  Array.from({ length: count }, (_, n) => ({
    id: n,
    at: new Date(Date.parse('2026-11-21T13:12:00Z') - n * 86_400_000 * 3).toISOString(),
    ...(n % 5 !== 4 && { mark: stateOf(states[n % 4] ?? 'active') }),
    title: n % 5 === 4 ? 'Ada Berg changed the names' : (words[n % 4] ?? ''),
    note: n % 4 === 2 ? 'The authority could not reach\nhttp://shop.example/.well-known/' : 'until 19 Feb 2027 13:12',
  }))
const second = (from: number, started: number, to: number) => ({
  from: from * 1000,
  started: started * 1000,
  to: to * 1000,
})

/** Timelines of events and of durations. */
export function Timelines() {
  const [shown, setShown] = useState(5)
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing={16}>
      <Section title="Timeline" hint="newest first">
        <Timeline
          label="Orders"
          entries={entries(shown)}
          more={shown < 200 ? { label: 'Show earlier', onMore: () => setShown(shown + 50) } : undefined}
        />
      </Section>
      <Section title="SpanChart">
        <SpanChart
          title="Timeline of a workflow"
          rows={[
            { id: 1, name: 'PHP pool', line: 'PHP pool, done', times: second(0, 2, 9) },
            { id: 2, name: 'nginx site', line: 'nginx site, done', times: second(9, 9.4, 12), isOwn: true },
            {
              id: 3,
              name: 'Probe',
              line: 'Probe, failed',
              times: second(900, 901, 931),
              colour: 'var(--mantine-color-error-5)',
            },
            { id: 4, name: 'Clean up', line: 'Clean up, pending', times: undefined },
          ]}
        />
      </Section>
    </SimpleGrid>
  )
}
