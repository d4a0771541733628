import type { ReactNode } from 'react'
import css from './calendar.module.css'
import { type Day, dayText, isWeekend } from './days.ts'

/** A row of figures below the days, which stays in sight. */
export interface TopRow {
  id: string
  name: string
  hint?: string
  cell: (day: Day) => ReactNode
}
interface Props {
  days: readonly Day[]
  today: Day
  marked: ReadonlyMap<Day, string> | undefined
  weekend: readonly number[] | undefined
  tops: readonly TopRow[]
  endTitle: string | undefined
}

/** The days, and what is counted by day. */
export const LaneHead = ({ days, today, marked, weekend, tops, endTitle }: Props) => (
  <div role="rowgroup" className={css.head}>
    <div role="row" aria-rowindex={1} className={css.headRow}>
      <div role="columnheader" className={css.name}>
        <span className={css.hidden}>Name</span>
      </div>
      {days.map((day) => (
        <div
          key={day}
          role="columnheader"
          className={css.day}
          data-weekend={isWeekend(day, weekend) || undefined}
          data-marked={marked?.has(day) || undefined}
          data-today={day === today || undefined}
          aria-label={`${dayText(day, 'long')}${marked?.has(day) ? `, ${marked.get(day)}` : ''}`}
          title={marked?.get(day)}
        >
          <span>{dayText(day, days.length > 14 ? 'letter' : 'weekday')}</span>
          <b>{Number(day.slice(8))}</b>
        </div>
      ))}
      {endTitle && (
        <div role="columnheader" className={css.end}>
          {endTitle}
        </div>
      )}
    </div>
    {tops.map(({ id, name, hint, cell }) => (
      <div key={id} role="row" className={css.topRow}>
        <div role="rowheader" className={css.name}>
          <span className={css.truncate}>{name}</span>
          {hint && <span className={css.hint}>{hint}</span>}
        </div>
        {days.map((day) => (
          <div key={day} role="gridcell" className={css.top} data-weekend={isWeekend(day, weekend) || undefined}>
            {cell(day)}
          </div>
        ))}
        {endTitle && <div role="gridcell" className={css.end} />}
      </div>
    ))}
  </div>
)
