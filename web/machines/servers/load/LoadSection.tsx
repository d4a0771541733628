import type { ServerView } from '@innkeeper/contract/machines/servers/shapes'
import { SimpleGrid, Text } from '@mantine/core'
import { Section } from '../../../kit/frame/Section.tsx'
import { moment } from '../../../kit/look/format.ts'
import { Gauge } from '../../../kit/look/Gauge.tsx'
import css from '../servers.module.css'
import { figuresOf } from './load.ts'

/** Current load with the trend of the last hour; grey when the data is old. */
export function LoadSection({ server: { load, trend, observed } }: { server: ServerView }) {
  const old = observed !== 'online'
  if (!load)
    return (
      <Section title="Load">
        <Text c="dimmed">No figures yet. They come with the agent's first heartbeat.</Text>
      </Section>
    )
  const trends = trend.map((at) => figuresOf(at).map(({ share }) => share))
  return (
    <Section title="Load" hint={old ? `as of ${moment(load.at)}` : 'last hour'}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing={36} className={old ? css.old : undefined}>
        {figuresOf(load).map((figure, i) => (
          <Gauge key={figure.label} {...figure} trend={trends.map((shares) => shares[i] ?? 0)} />
        ))}
      </SimpleGrid>
    </Section>
  )
}
