import { UnstyledButton } from '@mantine/core'
import { addMonths, type Day, dayText, isWeekend, weeksOf } from '../../../kit/calendar/days.ts'
import { spoken } from '../../../kit/calendar/items.ts'
import css from './calendar.module.css'
import type { EntryItem } from './entries.ts'

interface Props {
  /** 1 January of the year. */
  year: Day
  items: readonly EntryItem[]
  today: Day
  marked: ReadonlyMap<Day, string>
  weekend: readonly number[] | undefined
  onDay: (day: Day) => void
}
const DOTS = 3

/** Twelve small months with dots for the entries of each day, coloured by kind. */
export function YearGrid({ year, items, today, marked, weekend, onDay }: Props) {
  const byDay = new Map<Day, EntryItem[]>()
  for (const item of items) for (const day of daysWithin(item, year)) byDay.set(day, [...(byDay.get(day) ?? []), item])
  return (
    <div className={css.year}>
      {Array.from({ length: 12 }, (_, n) => addMonths(year, n)).map((month) => (
        <section key={month} aria-label={dayText(month, 'month')}>
          <h2 className={css.monthName}>{dayText(month, 'month').split(' ')[0]}</h2>
          <div className={css.small}>
            {weeksOf(month)
              .flat()
              .map((day) =>
                day.slice(0, 7) === month.slice(0, 7) ? (
                  <SmallDay
                    key={day}
                    day={day}
                    there={byDay.get(day) ?? []}
                    isToday={day === today}
                    isFree={marked.has(day) || isWeekend(day, weekend)}
                    onDay={onDay}
                  />
                ) : (
                  <span key={day} />
                ),
              )}
          </div>
        </section>
      ))}
    </div>
  )
}

/** Days of an entry that fall within the year. */
function daysWithin({ from, to }: EntryItem, year: Day): Day[] {
  const last = `${year.slice(0, 4)}-12-31`
  const days: Day[] = []
  for (let time = Date.parse(from < year ? year : from); time <= Date.parse(to > last ? last : to); time += 86_400_000)
    days.push(new Date(time).toISOString().slice(0, 10))
  return days
}

interface DayProps {
  day: Day
  there: readonly EntryItem[]
  isToday: boolean
  isFree: boolean
  onDay: (day: Day) => void
}
function SmallDay({ day, there, isToday, isFree, onDay }: DayProps) {
  const colours = [...new Set(there.map(({ colour }) => colour))].slice(0, DOTS)
  const words = there.map(spoken).join('; ')
  return (
    <UnstyledButton
      className={css.smallDay}
      data-off={isFree || undefined}
      data-today={isToday || undefined}
      title={words || undefined}
      aria-label={`${dayText(day, 'long')}${words && `: ${words}`}`}
      aria-current={isToday ? 'date' : undefined}
      onClick={() => onDay(day)}
    >
      {Number(day.slice(8))}
      <span className={css.dots} aria-hidden>
        {colours.map((colour) => (
          <span key={colour} className={css.dot} data-colour={colour} />
        ))}
      </span>
    </UnstyledButton>
  )
}
