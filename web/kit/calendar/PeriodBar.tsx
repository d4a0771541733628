import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './calendar.module.css'
import { calendarTexts } from './texts.ts'

interface Props {
  /** Visible period: "November 2026". */
  label: string
  /** Length of one step: "month", "week". */
  unit: string
  isNow: boolean
  onTurn: (by: 1 | -1) => void
  onToday: () => void
  /** Filters and legend on the right. */
  children?: ReactNode
}

/** Buttons for the previous period, the next period and today. */
export const PeriodBar = ({ label, unit, isNow, onTurn, onToday, children }: Props) => (
  <Group className={css.period} justify="space-between" gap="8px 14px">
    <Group gap={4} wrap="nowrap">
      <ActionIcon aria-label={calendarTexts().previous(unit)} onClick={() => onTurn(-1)}>
        <IconChevronLeft size={16} />
      </ActionIcon>
      <Text fw={600} miw={132} ta="center" aria-live="polite" style={{ whiteSpace: 'nowrap' }}>
        {label}
      </Text>
      <ActionIcon aria-label={calendarTexts().next(unit)} onClick={() => onTurn(1)}>
        <IconChevronRight size={16} />
      </ActionIcon>
      <Button variant="subtle" color="secondary" size="xs" disabled={isNow} onClick={onToday}>
        {calendarTexts().today}
      </Button>
    </Group>
    {children}
  </Group>
)
