import { memo, type ReactNode } from 'react'
import { Bar } from './Bar.tsx'
import css from './calendar.module.css'
import type { Column } from './columns.ts'
import { type CalendarItem, isOn, type Placed, spoken } from './items.ts'
import { calendarTexts } from './texts.ts'

/** One row: a person, a room, a team. */
export interface Lane<I extends CalendarItem> {
  id: string
  name: string
  /** Dimmed text beside the name. */
  hint?: ReactNode
  /** The last column: a sum. */
  end?: ReactNode
  items: readonly I[]
  /** Its items are still read. */
  isReading?: boolean
}
interface Props {
  lane: Lane<CalendarItem>
  placed: readonly Placed<CalendarItem>[]
  index: number
  top: number
  height: number
  columns: readonly Column[]
  narrow: boolean
  edges: boolean
  hasEnd: boolean
  /** Column of the focused cell; -1 if the focus is in another row. */
  focus: number
  chosenId: string | undefined
  /** Selected columns, both ends included. */
  from: number
  to: number
  ghost: Placed<CalendarItem> | undefined
  /** What stands against the dragged item in this row. */
  trouble: string | undefined
  /** Whether the dragged item is refused in this row. */
  refused: boolean
}

export const LaneRow = memo(function LaneRow(props: Props) {
  const { lane, placed, index, top, height, columns, narrow, edges, hasEnd, focus, from, to, ghost, trouble, refused } =
    props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={css.row}
      data-refused={refused || undefined}
      style={{ top, height }}
    >
      <div role="rowheader" className={css.name}>
        <span className={css.truncate} title={lane.name}>
          {lane.name}
        </span>
        {lane.hint && <span className={css.hint}>{lane.hint}</span>}
      </div>
      {columns.map((column, n) => (
        <div
          key={column.day}
          role="gridcell"
          aria-colindex={n + 2}
          tabIndex={n === focus ? 0 : -1}
          aria-label={cellText(lane, column)}
          aria-selected={n >= from && n <= to}
          className={css.cell}
          data-cell={`${index}:${n}`}
          data-weekend={column.isWeekend || undefined}
          data-marked={column.mark !== undefined || undefined}
          data-today={column.isToday || undefined}
        />
      ))}
      <div aria-hidden className={css.bars}>
        {placed.map((one) => (
          <Bar
            key={one.item.id}
            placed={one}
            columns={columns.length}
            narrow={narrow}
            edges={edges}
            chosen={one.item.id === props.chosenId}
          />
        ))}
        {ghost && <Bar placed={ghost} columns={columns.length} narrow={narrow} ghost={trouble ? 'trouble' : 'free'} />}
        {ghost && trouble && (
          <span className={css.trouble} style={besides(ghost, columns.length)}>
            {trouble}
          </span>
        )}
      </div>
      {hasEnd && (
        <div role="gridcell" aria-colindex={columns.length + 2} className={css.end}>
          {lane.end}
        </div>
      )}
    </div>
  )
})

/** Beside the dragged item, where the row has more room. */
const besides = ({ start, end }: Placed<CalendarItem>, columns: number) =>
  start > columns / 2 ? { right: `${(1 - start / columns) * 100}%` } : { left: `${(end / columns) * 100}%` }

/** "Kari Berg, Monday 2 November: Early 06:00–14:00". */
function cellText({ name, items, isReading }: Lane<CalendarItem>, column: Column): string {
  const there = items.filter((item) => isOn(item, column.day)).map(spoken)
  return `${name}, ${column.spoken}: ${there.join('; ') || (isReading ? calendarTexts().notRead : calendarTexts().nothing)}`
}
