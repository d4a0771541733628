import { memo, type ReactNode } from 'react'
import { Bar } from './Bar.tsx'
import css from './calendar.module.css'
import { type Day, dayText, isWeekend } from './days.ts'
import { type CalendarItem, isOn, type Placed, spoken } from './items.ts'

/** One row: a person, a room, a team. */
export interface Lane<I extends CalendarItem> {
  id: string
  name: string
  /** Beside the name, dim. */
  hint?: ReactNode
  /** The last column: a sum. */
  end?: ReactNode
  items: readonly I[]
}
interface Props {
  lane: Lane<CalendarItem>
  placed: readonly Placed<CalendarItem>[]
  index: number
  top: number
  height: number
  days: readonly Day[]
  today: Day
  /** Day → why it is none like the others: the name of a holiday. */
  marked: ReadonlyMap<Day, string> | undefined
  weekend: readonly number[] | undefined
  narrow: boolean
  edges: boolean
  hasEnd: boolean
  /** Column of the cell that has the keys; -1: in another row. */
  focus: number
  chosenId: string | undefined
  /** Columns that are chosen, both included. */
  from: number
  to: number
  ghost: Placed<CalendarItem> | undefined
}

export const LaneRow = memo(function LaneRow(props: Props) {
  const { lane, placed, index, top, height, days, today, marked, narrow, edges, hasEnd, focus, from, to, ghost } = props
  return (
    <div role="row" aria-rowindex={index + 2} className={css.row} style={{ top, height }}>
      <div role="rowheader" className={css.name}>
        <span className={css.truncate} title={lane.name}>
          {lane.name}
        </span>
        {lane.hint && <span className={css.hint}>{lane.hint}</span>}
      </div>
      {days.map((day, n) => (
        <div
          key={day}
          role="gridcell"
          aria-colindex={n + 2}
          tabIndex={n === focus ? 0 : -1}
          aria-label={cellText(lane, day, marked?.get(day))}
          aria-selected={n >= from && n <= to}
          className={css.cell}
          data-cell={`${index}:${n}`}
          data-weekend={isWeekend(day, props.weekend) || undefined}
          data-marked={marked?.has(day) || undefined}
          data-today={day === today || undefined}
          style={{ gridColumn: n + 2 }}
        />
      ))}
      <div aria-hidden className={css.bars} style={{ gridColumn: `2 / span ${days.length}` }}>
        {placed.map((one) => (
          <Bar
            key={one.item.id}
            placed={one}
            columns={days.length}
            narrow={narrow}
            edges={edges}
            chosen={one.item.id === props.chosenId}
          />
        ))}
        {ghost && <Bar placed={ghost} columns={days.length} narrow={narrow} ghost />}
      </div>
      {hasEnd && (
        <div role="gridcell" aria-colindex={days.length + 2} className={css.end}>
          {lane.end}
        </div>
      )}
    </div>
  )
})

/** "Kari Berg, Monday 2 November: Early 06:00–14:00". */
function cellText({ name, items }: Lane<CalendarItem>, day: Day, mark: string | undefined): string {
  const there = items.filter((item) => isOn(item, day)).map(spoken)
  return `${name}, ${dayText(day, 'long')}${mark ? `, ${mark}` : ''}: ${there.join('; ') || 'nothing'}`
}
