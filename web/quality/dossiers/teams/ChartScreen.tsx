import { Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { LinkButton } from '../../../kit/frame/LinkTo.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { counted } from '../../../kit/look/format.ts'
import { membershipsApi, teamsApi } from '../api.ts'
import { Chart } from './Chart.tsx'
import type { ChartRow } from './chartRows.ts'
import { MoveModal } from './MoveModal.tsx'

/** Teams and their people on a day. People and teams move by drag, or by keyboard with M. */
export default function ChartScreen() {
  const lacking = useReason()
  const [date, setDate] = useState('')
  const [moved, move] = useState<{ row: ChartRow; to?: number }>()
  const query = useQuery({
    ...teamsApi.chart.query(date ? { date } : {}),
    placeholderData: keepPreviousData,
  })
  const chart = query.data
  if (!chart) return <Screen query={query}>{null}</Screen>
  const people = chart.teams.reduce((sum, team) => sum + team.people.length, 0)
  const reason = lacking(membershipsApi.moveMembership) ?? lacking(teamsApi.updateTeam)
  return (
    <Screen
      scroll={false}
      meta={`${counted(chart.teams.length, ['team', 'teams'])}, ${counted(people, ['membership', 'memberships'])}`}
      actions={
        <LinkButton to="/dossiers/teams" variant="default">
          Teams
        </LinkButton>
      }
    >
      <Group px="var(--ink-gutter)" py={10} gap={16} align="end">
        <DateField
          label="On the day"
          value={date}
          onChange={setDate}
          onBlur={() => undefined}
          name="date"
          required={false}
        />
        <Text c="dimmed" fz="xs">
          {reason ??
            'Drag a person or a team onto a team, press M on a row, or choose its move button. Enter or a double click opens it.'}
          {date && ' Members are those of the day; teams and their managers are those of today.'}
        </Text>
      </Group>
      <Chart
        teams={chart.teams}
        locked={reason !== undefined}
        onMove={(row, to) => move({ row, ...(to !== undefined && { to }) })}
      />
      {moved && <MoveModal {...moved} date={chart.date} teams={chart.teams} close={() => move(undefined)} />}
    </Screen>
  )
}
