import { type ReactNode, useMemo } from 'react'
import { Bar } from './Bar.tsx'
import css from './calendar.module.css'
import { type Day, dayText, isWeekend, weekNumber } from './days.ts'
import { type CalendarItem, isOn, place, spanOf, spoken } from './items.ts'

interface Props {
  week: readonly Day[]
  lane: number
  month: Day
  items: readonly CalendarItem[]
  today: Day
  marked: ReadonlyMap<Day, string> | undefined
  weekend: readonly number[] | undefined
  extra: ((day: Day) => ReactNode) | undefined
  most: number
  edges: boolean
  focus: number
  chosenId: string | undefined
  from: Day
  to: Day
  ghost: CalendarItem | undefined
  onDay: ((day: Day) => void) | undefined
}

/** Seven days of a month with their bars. */
export function WeekRow(props: Props) {
  const { week, lane, month, items, today, marked, extra, most, edges, focus, chosenId, from, to, ghost, onDay } = props
  const first = week[0] ?? month
  const placed = useMemo(() => place(items, first, 7), [items, first])
  const ghostSpan = ghost && spanOf(ghost, first, 7, 'day')
  return (
    <div role="row" className={css.week} data-week={lane} aria-label={`Week ${weekNumber(first)}`}>
      {week.map((day, n) => {
        const there = items.filter((item) => isOn(item, day)).map(spoken)
        const mark = marked?.get(day)
        return (
          <div
            key={day}
            role="gridcell"
            tabIndex={n === focus ? 0 : -1}
            aria-label={`${dayText(day, 'long')}${mark ? `, ${mark}` : ''}: ${there.join('; ') || 'nothing'}`}
            aria-selected={from !== '' && day >= from && day <= to}
            className={css.date}
            data-cell={`${lane}:${n}`}
            data-outside={day.slice(0, 7) !== month.slice(0, 7) || undefined}
            data-weekend={isWeekend(day, props.weekend) || undefined}
            data-marked={mark ? true : undefined}
            data-today={day === today || undefined}
          >
            <span className={css.number}>
              <b>{Number(day.slice(8))}</b>
              {mark && (
                <span className={css.mark} title={mark}>
                  {mark}
                </span>
              )}
              {extra?.(day)}
            </span>
          </div>
        )
      })}
      <div aria-hidden className={css.weekBars}>
        {placed
          .filter(({ line }) => line < most)
          .map((one) => (
            <Bar key={one.item.id} placed={one} columns={7} edges={edges} chosen={one.item.id === chosenId} />
          ))}
        {ghost && ghostSpan && <Bar placed={{ item: ghost, ...ghostSpan, line: 0 }} columns={7} ghost="free" />}
      </div>
      {onDay && (
        // outside the cells, whose names already contain the whole day
        <div aria-hidden className={css.weekMore}>
          {week.map((day, n) => {
            const more = placed.filter(({ line, start, end }) => line >= most && start <= n && n < end).length
            return (
              more > 0 && (
                <button
                  key={day}
                  type="button"
                  tabIndex={-1}
                  className={css.more}
                  style={{ gridColumn: n + 1 }}
                  onClick={() => onDay(day)}
                >
                  +{more} more
                </button>
              )
            )
          })}
        </div>
      )}
    </div>
  )
}
