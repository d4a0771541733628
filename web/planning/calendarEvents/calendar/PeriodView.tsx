import { Text } from '@mantine/core'
import { DayList } from '../../../kit/calendar/DayList.tsx'
import { addMonths, type Day, daysOf, dayText, monthEnd } from '../../../kit/calendar/days.ts'
import type { Place } from '../../../kit/calendar/items.ts'
import { MonthGrid } from '../../../kit/calendar/MonthGrid.tsx'
import { calendarEventTexts } from '../texts.ts'
import css from './calendar.module.css'
import type { EntryItem } from './entries.ts'
import { type Period, startOf } from './period.ts'
import { YearGrid } from './YearGrid.tsx'

interface Props {
  period: Period
  items: readonly EntryItem[]
  marked: ReadonlyMap<Day, string>
  weekend: readonly number[] | undefined
  today: Day
  phone: boolean
  onOpen: (item: EntryItem) => void
  onPick?: (from: Day, to: Day) => void
  onDay: (day: Day) => void
  onMove: (item: EntryItem, place: Place) => void
  onTurn: (by: 1 | -1) => void
}

/**
 * Shows a month in weeks, a quarter as three months, a year as dots, and a range as a list; on a phone always a list.
 */
export function PeriodView({ period, phone, onDay, ...rest }: Props) {
  const words = calendarEventTexts()
  const start = startOf(period)
  const { onOpen, onPick, onMove, onTurn, ...shown } = rest
  if (period.view === 'year') return <YearGrid year={start} {...shown} onDay={onDay} />
  const months = period.view === 'quarter' ? [0, 1, 2].map((n) => addMonths(start, n)) : [start]
  if (period.view === 'range' || phone) {
    const last = period.view === 'range' ? period.to : monthEnd(months.at(-1) ?? start)
    return (
      <DayList
        label={words.events}
        days={daysOf(period.view === 'range' ? period.date : start, last)}
        items={shown.items}
        today={shown.today}
        onOpen={onOpen}
        add={onPick && { title: words.addEvent, onPick: (day) => onPick(day, day) }}
        onlyFilled
        empty={
          <Text c="dimmed" p={20}>
            {words.nothing}
          </Text>
        }
      />
    )
  }
  const grid = { ...shown, onOpen, onPick, onDay, onMove, onTurn }
  if (period.view === 'month') return <MonthGrid label={dayText(start, 'month')} month={start} most={4} {...grid} />
  return (
    <>
      {months.map((month) => (
        <section key={month} className={css.quarter} aria-label={dayText(month, 'month')}>
          <h2>{dayText(month, 'month')}</h2>
          <MonthGrid label={dayText(month, 'month')} month={month} most={2} {...grid} />
        </section>
      ))}
    </>
  )
}
