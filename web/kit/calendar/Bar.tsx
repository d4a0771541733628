import { memo } from 'react'
import css from './calendar.module.css'
import { clockText } from './days.ts'
import type { CalendarItem, Placed } from './items.ts'

interface Props {
  placed: Placed<CalendarItem>
  /** Columns of the row. */
  columns: number
  /** Shows the short name only. */
  narrow?: boolean
  /** Shows handles to resize the item at its ends. */
  edges?: boolean
  /** The item selected by keyboard. */
  chosen?: boolean
  /** Preview of a dragged item, and whether something stands against its place. */
  ghost?: 'free' | 'trouble'
}

/** One item on a row of days, for pointer and eye only: the cell behind it serves screen readers and keys. */
export const Bar = memo(function Bar({ placed, columns, narrow, edges, chosen, ghost }: Props) {
  const { item, start, end, line, before, after } = placed
  const { id, label, short, minutes, note, colour, look = 'solid', fixed } = item
  const time = minutes && `${clockText(minutes[0])}–${clockText(minutes[1])}`
  const title = [label, time, note].filter(Boolean).join(', ')
  return (
    <span
      className={css.bar}
      data-item={ghost ? undefined : id}
      data-colour={colour}
      data-look={look}
      data-fixed={fixed || undefined}
      data-narrow={narrow || undefined}
      data-before={before || undefined}
      data-after={after || undefined}
      data-chosen={chosen || undefined}
      data-ghost={ghost}
      title={title}
      style={{
        left: `${(start / columns) * 100}%`,
        width: `${((end - start) / columns) * 100}%`,
        top: `calc(${line} * var(--cal-line))`,
      }}
    >
      {edges && !fixed && !before && <span className={css.edge} data-edge="start" />}
      {narrow ? (
        (short ?? label.slice(0, 1))
      ) : (
        <>
          <span className={css.label}>{label}</span>
          {minutes && <span className={css.time}>{clockText(minutes[0])}</span>}
        </>
      )}
      {edges && !fixed && !after && <span className={css.edge} data-edge="end" />}
    </span>
  )
})
