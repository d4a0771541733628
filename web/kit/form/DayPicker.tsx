import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { addDays, addMonths, type Day, dayText, weekStart, weeksOf } from '../calendar/days.ts'
import { calendarTexts } from '../calendar/texts.ts'
import css from './DayPicker.module.css'

interface Props {
  value: Day | undefined
  today: Day
  min?: Day
  max?: Day
  onPick: (day: Day) => void
  /** Beside "Today", below the days. */
  children?: ReactNode
}

/** Prevents Escape from closing the dialog below the calendar popover. */
export const ownEscape = { 'data-mantine-stop-propagation': 'true' }

/** One month of days. Arrows, Home, End, Page Up and Page Down move through it; Shift with a page key moves by a year. */
export function DayPicker({ value, today, min, max, onPick, children }: Props) {
  const within = (day: Day) => (min && day < min ? min : max && day > max ? max : day)
  const isOpen = (day: Day) => within(day) === day
  const [focus, setFocus] = useState(within(value ?? today))
  const [byKeys, setByKeys] = useState(false)
  const grid = useRef<HTMLTableElement>(null)
  const month = focus.slice(0, 7)
  const weeks = weeksOf(focus)
  // the focus follows the keys, into another month too
  useEffect(() => {
    if (byKeys) grid.current?.querySelector<HTMLElement>(`[data-day="${focus}"]`)?.focus()
  }, [focus, byKeys])

  const turn = (by: number) => {
    setByKeys(false)
    setFocus(within(addMonths(focus, by)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = stepOf(event, focus)
    if (!step) return
    event.preventDefault()
    setByKeys(true)
    setFocus(within(step))
  }
  return (
    <div className={css.picker}>
      <Group justify="space-between" wrap="nowrap" gap={4}>
        <ActionIcon {...ownEscape} aria-label={calendarTexts().previousMonth} onClick={() => turn(-1)}>
          <IconChevronLeft size={16} />
        </ActionIcon>
        <Text fw={600} aria-live="polite">
          {dayText(focus, 'month')}
        </Text>
        <ActionIcon {...ownEscape} aria-label={calendarTexts().nextMonth} onClick={() => turn(1)}>
          <IconChevronRight size={16} />
        </ActionIcon>
      </Group>
      <table ref={grid} aria-label={dayText(focus, 'month')} className={css.days} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col" aria-label={dayText(day, 'long').split(' ')[0]}>
                {dayText(day, 'weekday').slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day}>
                  <button
                    type="button"
                    {...ownEscape}
                    data-day={day}
                    data-autofocus={day === focus || undefined}
                    tabIndex={day === focus ? 0 : -1}
                    aria-label={`${dayText(day, 'long')} ${day.slice(0, 4)}`}
                    aria-pressed={day === value}
                    aria-current={day === today ? 'date' : undefined}
                    data-other={day.slice(0, 7) === month ? undefined : true}
                    disabled={!isOpen(day)}
                    onClick={() => onPick(day)}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Group justify="space-between" gap={8} wrap="nowrap">
        <Button
          {...ownEscape}
          size="xs"
          variant="subtle"
          color="secondary"
          disabled={!isOpen(today)}
          onClick={() => onPick(today)}
        >
          {calendarTexts().today}
        </Button>
        {children}
      </Group>
    </div>
  )
}

function stepOf({ key, shiftKey }: KeyboardEvent, day: Day): Day | undefined {
  const pages = shiftKey ? 12 : 1
  const steps: Record<string, () => Day> = {
    ArrowLeft: () => addDays(day, -1),
    ArrowRight: () => addDays(day, 1),
    ArrowUp: () => addDays(day, -7),
    ArrowDown: () => addDays(day, 7),
    Home: () => weekStart(day),
    End: () => addDays(weekStart(day), 6),
    PageUp: () => addMonths(day, -pages),
    PageDown: () => addMonths(day, pages),
  }
  return steps[key]?.()
}
