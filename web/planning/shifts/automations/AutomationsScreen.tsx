import type { ShiftAutomation, ShiftType } from '@innkeeper/contract/planning/shifts/shapes'
import { Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { EmptyState } from '../../../kit/frame/emptyStates.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted, shortDay } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { shiftsApi } from '../api.ts'
import { AddAutomation } from './AddAutomation.tsx'
import css from './automation.module.css'
import { everyText, PatternStrip, useTypes } from './PatternStrip.tsx'

/** Automations that plan shifts, and how far ahead. */
export default function AutomationsScreen() {
  const query = useQuery(shiftsApi.automations.query())
  const [adding, setAdding] = useState(false)
  const reason = useReason()(shiftsApi.createAutomation)
  const items = query.data?.items ?? []
  const { types } = useTypes()
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
          <div className={`${css.row} ${css.heads}`}>
            <span>Name, and for whom</span>
            <span>Pattern</span>
            <span className={css.planned}>Planned to</span>
            <span>State</span>
          </div>
          {items.map((automation) => (
            <Row key={automation.id} automation={automation} types={types} />
          ))}
        </Section>
      )}
      {adding && <AddAutomation close={() => setAdding(false)} />}
    </Screen>
  )
}

function Row({ automation, types }: { automation: ShiftAutomation; types: ReadonlyMap<number, ShiftType> }) {
  const { id, name, who, people, pattern, plannedTo, isActive, stagger, status, progress } = automation
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
      <span className={css.cell}>
        <PatternStrip pattern={pattern} types={types} />
        <Text span c="dimmed" fz="xs" truncate>
          {everyText(pattern)}
          {stagger > 0 && `, each person ${counted(stagger, ['day', 'days'])} later`}
          {status === 'draft' && ', as drafts'}
        </Text>
      </span>
      <Text span c="dimmed" className={`num ${css.planned}`}>
        {plannedTo ? shortDay(plannedTo) : 'not yet'}
      </Text>
      {progress < 100 ? (
        <StatusBadge state="running" label={`Planning, ${progress} %`} />
      ) : (
        <StatusBadge state={isActive ? 'active' : 'skipped'} label={isActive ? 'Active' : 'Off'} />
      )}
    </Link>
  )
}
