import { Box, Group, SimpleGrid, Stack } from '@mantine/core'
import { BarChart } from '../kit/charts/BarChart.tsx'
import { LineChart } from '../kit/charts/LineChart.tsx'
import { PieChart } from '../kit/charts/PieChart.tsx'
import { EmptyState, ErrorState } from '../kit/frame/emptyStates.tsx'
import { Screen } from '../kit/frame/Screen.tsx'
import { Section } from '../kit/frame/Section.tsx'
import { Skeletons } from '../kit/frame/Skeletons.tsx'
import { bytes } from '../kit/look/format.ts'
import { StatusBadge } from '../kit/look/StatusBadge.tsx'
import { states } from '../kit/look/stateWords.ts'
import { Calendars } from './Calendars.tsx'
import { Dates } from './Fields.tsx'
import { Forms, Notices, Wizards } from './Forms.tsx'
import { Lists } from './Lists.tsx'
import { Messages, Values } from './MoreFields.tsx'
import { Pieces } from './Pieces.tsx'
import { Tables } from './Tables.tsx'

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const chats = { name: 'Chats', values: [120, 98, 143, 110, 167, 60, 42] }
const tickets = { name: 'Tickets', values: [40, 52, 38, 61, 44, 20, 12] }

/** For developers: every part of the kit in every state. Not in the production bundle. */
export default function KitScreen() {
  return (
    <Screen>
      <Stack gap={16}>
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing={16}>
          <Section title="BarChart">
            <BarChart title="Chats and tickets by day" data={{ labels: days, series: [chats, tickets] }} />
          </Section>
          <Section title="LineChart">
            <LineChart
              title="Disk used by day"
              data={{
                labels: days,
                series: [{ name: 'Used', values: [2, 2.4, 2.3, 3.1, 3.3, 4, 4.2].map((gb) => gb * 1e9) }],
              }}
              format={bytes}
            />
          </Section>
          <Section title="PieChart">
            <PieChart
              title="Reasons of escalations"
              name="Escalations"
              slices={[
                { label: 'Slow', value: 41 },
                { label: 'Down', value: 23 },
                { label: 'Billing', value: 12 },
                { label: 'Mail', value: 7 },
                { label: 'Others', value: 9 },
              ]}
            />
          </Section>
          <Section title="Charts without anything">
            <BarChart title="Nothing by day" data={{ labels: days, series: [{ name: 'Nothing', values: [] }] }} />
          </Section>
        </SimpleGrid>
        <Dates />
        <Values />
        <Messages />
        <Tables />
        <Wizards />
        <Forms />
        <Notices />
        <Section title="States">
          <Group gap="8px 20px">
            {Object.keys(states).map((state) => (
              <StatusBadge key={state} state={state} />
            ))}
          </Group>
        </Section>
        <Pieces />
        <Calendars />
        <Lists />
        <Section title="Screen: loading">
          <Box h={220} style={{ overflow: 'hidden' }}>
            <Skeletons />
          </Box>
        </Section>
        <Section title="Screen: failed">
          <ErrorState
            title="Servers could not be loaded"
            error={new Error('The server did not answer within 30 s.')}
            onRetry={() => undefined}
          />
        </Section>
        <Section title="Screen: empty">
          <EmptyState title="No server yet" tag="SV">
            A server is a machine that an agent looks after.
          </EmptyState>
        </Section>
      </Stack>
    </Screen>
  )
}
