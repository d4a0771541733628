import { VisuallyHidden } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import css from './calendar.module.css'
import type { Column } from './columns.ts'
import { type Day, dayText } from './days.ts'
import { calendarTexts } from './texts.ts'

/** A sticky row of figures below the days. */
export interface TopRow {
  id: string
  name: string
  hint?: string
  cell: (day: Day) => ReactNode
}
interface Props {
  columns: readonly Column[]
  tops: readonly TopRow[]
  endTitle: string | undefined
}

/** Head of the grid: the days and the figures per day. */
export const LaneHead = memo(({ columns, tops, endTitle }: Props) => (
  <div role="rowgroup" className={css.head}>
    <div role="row" aria-rowindex={1} className={css.headRow}>
      <div role="columnheader" className={css.name}>
        <VisuallyHidden>{calendarTexts().name}</VisuallyHidden>
      </div>
      {columns.map(({ day, spoken, isToday, isWeekend, mark }) => (
        <div
          key={day}
          role="columnheader"
          className={css.day}
          data-weekend={isWeekend || undefined}
          data-marked={mark !== undefined || undefined}
          data-today={isToday || undefined}
          aria-label={spoken}
          title={mark}
        >
          <span>{dayText(day, columns.length > 14 ? 'letter' : 'weekday')}</span>
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
        {columns.map(({ day, isWeekend }) => (
          <div key={day} role="gridcell" className={css.top} data-weekend={isWeekend || undefined}>
            {cell(day)}
          </div>
        ))}
        {endTitle && <div role="gridcell" className={css.end} />}
      </div>
    ))}
  </div>
))
