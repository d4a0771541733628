import type { ShiftAutomation } from '@innkeeper/contract/planning/shifts/calls'
import { Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { dayText } from '../../../kit/calendar/days.ts'
import { EmptyState } from '../../../kit/frame/emptyStates.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { shiftsApi } from '../api.ts'
import { AddAutomation } from './AddAutomation.tsx'
import css from './automation.module.css'

/** Automations that plan shifts, and how far ahead. */
export default function AutomationsScreen() {
  const query = useQuery(shiftsApi.automations.query())
  const [adding, setAdding] = useState(false)
  const reason = useReason()(shiftsApi.createAutomation)
  const items = query.data?.items ?? []
  const add = (
    <ActButton reason={reason} leftSection={<IconPlus size={15} />} onClick={() => setAdding(true)}>
      Add automation
    </ActButton>
  )
  return (
    <Screen query={query} count={String(items.length)} actions={add}>
      {items.length === 0 ? (
        <EmptyState title="No automation yet" tag="AU" action={add}>
          An automation plans a pattern of weeks for a person, a shift team or a department, as far ahead as you choose.
          It does not change shifts that somebody has edited.
        </EmptyState>
      ) : (
        <Section title="Automations" hint="never change edited shifts" pad={false}>
          {items.map((automation) => (
            <Row key={automation.id} automation={automation} />
          ))}
        </Section>
      )}
      {adding && <AddAutomation close={() => setAdding(false)} />}
    </Screen>
  )
}

function Row({ automation }: { automation: ShiftAutomation }) {
  const { id, name, who, people, pattern, plannedTo, isActive, status } = automation
  return (
    <Link to="/calendar/shifts/automation/$id" params={{ id: String(id) }} className={css.row}>
      <span className={css.cell}>
        <Text span fw={500} truncate>
          {name}
        </Text>
        <Text span c="dimmed" fz="xs" truncate>
          {who}, {counted(people, ['person', 'people'])}
        </Text>
      </span>
      <Text span c="dimmed" truncate>
        {pattern.length % 7 ? `${pattern.length} days` : counted(pattern.length / 7, ['week', 'weeks'])} again and again
        {status === 'draft' && ', as drafts'}
      </Text>
      <Text span c="dimmed" className="num" visibleFrom="sm">
        {plannedTo ? `to ${dayText(plannedTo, 'short')} ${plannedTo.slice(0, 4)}` : 'not planned yet'}
      </Text>
      <StatusBadge state={isActive ? 'active' : 'skipped'} label={isActive ? 'Active' : 'Off'} />
    </Link>
  )
}
