import { memo } from 'react'
import css from './calendar.module.css'
import { clockText } from './days.ts'
import type { CalendarItem, Placed } from './items.ts'

interface Props {
  placed: Placed<CalendarItem>
  /** Columns of the row. */
  columns: number
  /** No room for more than its short name. */
  narrow?: boolean
  /** Its ends can be taken hold of. */
  edges?: boolean
  /** The one that keys are about. */
  chosen?: boolean
  /** What it would be when it is let go. */
  ghost?: boolean
}

/** One item on a row of days. It is for the eye and the mouse: the cell behind it reads it out and has the keys. */
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
      data-ghost={ghost || undefined}
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
          {time && <span className={css.time}>{time}</span>}
        </>
      )}
      {edges && !fixed && !after && <span className={css.edge} data-edge="end" />}
    </span>
  )
})
