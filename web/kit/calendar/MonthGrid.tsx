import { type CSSProperties, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import css from './calendar.module.css'
import { addDays, type Day, daysFrom, dayText, monthOf, weeksOf } from './days.ts'
import { type CalendarItem, isOn, moved, type Place, stretched } from './items.ts'
import { type Drag, type Spot, useDrag } from './useDrag.ts'
import { useGridKeys } from './useGridKeys.ts'
import { WeekRow } from './WeekRow.tsx'

interface Props<I extends CalendarItem> {
  label: string
  /** Any day of the month. */
  month: Day
  items: readonly I[]
  today: Day
  marked?: ReadonlyMap<Day, string>
  /** Days of the weekend, 1 is Monday. */
  weekend?: readonly number[]
  /** Under the number of a day. */
  extra?: (day: Day) => ReactNode
  /** Maximum of lines per day; further items are behind "+2 more". */
  most?: number
  onOpen?: (item: I) => void
  /** Selected days, both ends included. */
  onPick?: (from: Day, to: Day) => void
  /** Opens all items of a day. Without `onDay`, "+2 more" is no button. */
  onDay?: (day: Day) => void
  onMove?: (item: I, place: Place) => void
  onResize?: (item: I, place: Place) => void
  onRemove?: (items: I[]) => void
  onTurn?: (by: 1 | -1) => void
}

/** A month in weeks, Monday first. An item of several days is one bar, split at the end of a week. */
export function MonthGrid<I extends CalendarItem>(props: Props<I>) {
  const { month, items, today, marked, most = 3, onTurn } = props
  const weeks = weeksOf(month)
  const start = weeks[0]?.[0] ?? monthOf(month)
  const grid = useRef<HTMLDivElement>(null)
  const [nth, setNth] = useState(0)
  const dayAt = ({ lane, day }: { lane: number; day: number }) => addDays(start, lane * 7 + day)
  const itemsOn = (day: Day) => items.filter((item) => isOn(item, day))
  const pick = (a: Day, b: Day) => (a < b ? props.onPick?.(a, b) : props.onPick?.(b, a))

  const focusOn = daysFrom(start, today.slice(0, 7) === month.slice(0, 7) ? today : monthOf(month))
  const chosenOf = (day: Day) => {
    const there = itemsOn(day)
    return there[nth % Math.max(1, there.length)]
  }
  const keys = useGridKeys(
    {
      lanes: weeks.length,
      days: 7,
      wraps: true,
      onTurn,
      enter: () => {
        const day = dayAt(keys.focus)
        const item = keys.anchor ? undefined : chosenOf(day)
        if (item) props.onOpen?.(item)
        else pick(keys.anchor ? dayAt(keys.anchor) : day, day)
      },
      add: () => pick(dayAt(keys.anchor ?? keys.focus), dayAt(keys.focus)),
      remove: () => {
        const item = chosenOf(dayAt(keys.focus))
        if (item && !item.fixed) props.onRemove?.([item])
      },
      next: () => setNth(nth + 1),
      move: (byWeeks, byDays) => {
        const item = chosenOf(dayAt(keys.focus))
        if (!item || item.fixed || !props.onMove) return
        props.onMove(item, moved(item, (byWeeks * 7 + byDays) * 1440))
        const n = keys.focus.lane * 7 + keys.focus.day + byWeeks * 7 + byDays
        keys.go({ lane: Math.floor(n / 7), day: ((n % 7) + 7) % 7 })
      },
      stretch: (by) => {
        const item = chosenOf(dayAt(keys.focus))
        if (item && !item.fixed) props.onResize?.(item, stretched(item, 'end', by * 1440, 1440))
      },
    },
    { lane: Math.floor(focusOn / 7), day: focusOn % 7 },
  )

  const dayOf = ({ lane, at }: Spot): Day => dayAt({ lane, day: Math.floor(at) })
  const placeOf = ({ kind, item, from, to }: Drag<I>): Place | undefined => {
    if (!item || kind === 'select') return undefined
    const by = ((to.lane - from.lane) * 7 + Math.floor(to.at) - Math.floor(from.at)) * 1440
    return kind === 'move' ? moved(item, by) : stretched(item, kind, by, 1440)
  }
  const { drag, handlers } = useDrag<I>({
    spotOf: (event: MouseEvent) => {
      const rows = [...(grid.current?.querySelectorAll('[data-week]') ?? [])].map((row) => row.getBoundingClientRect())
      const below = rows.findLastIndex((row) => event.clientY >= row.top)
      const lane = Math.max(0, below)
      const row = rows[lane]
      const at = row ? ((event.clientX - row.left) / row.width) * 7 : 0
      return { lane, at: Math.min(Math.max(0, at), 6.999) }
    },
    itemOf: (id) => items.find((item) => item.id === id),
    can: { select: !!props.onPick, move: !!props.onMove, resize: !!props.onResize },
    step: 1,
    onTap: (item, spot, event) => {
      // a button or link in the cell handles its own clicks
      if (event.target instanceof Element && event.target.closest('button, a')) return
      keys.click({ lane: spot.lane, day: Math.floor(spot.at) })
      if (item) props.onOpen?.(item)
      else pick(dayOf(spot), dayOf(spot))
    },
    onDrop: (done) => {
      if (done.kind === 'select') return pick(dayOf(done.from), dayOf(done.to))
      const target = placeOf(done)
      if (!target || !done.item || (target.from === done.item.from && target.to === done.item.to)) return
      if (done.kind === 'move') props.onMove?.(done.item, target)
      else props.onResize?.(done.item, target)
    },
  })

  const { lane: focusLane, day: focusDay } = keys.focus
  // another month has other cells
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!keys.follows) return
    grid.current?.querySelector<HTMLElement>(`[data-cell="${focusLane}:${focusDay}"]`)?.focus()
  }, [focusLane, focusDay, keys.follows, start])

  const ends =
    drag?.kind === 'select'
      ? [dayOf(drag.from), dayOf(drag.to)]
      : keys.anchor
        ? [dayAt(keys.anchor), dayAt(keys.focus)]
        : []
  const [from = '', to = ''] = ends.toSorted()
  const target = drag && placeOf(drag)
  const ghost = drag?.item && target && { ...drag.item, ...target }
  return (
    <div
      ref={grid}
      role="grid"
      aria-label={props.label}
      aria-multiselectable={props.onPick ? true : undefined}
      className={css.month}
      data-dragging={drag?.kind}
      style={{ '--cal-line': '22px', '--cal-most': most } as CSSProperties}
      onKeyDown={keys.onKeyDown}
      onFocus={keys.onFocus}
      onBlur={keys.onBlur}
      {...handlers}
    >
      <div role="row" className={css.weekdays}>
        {weeks[0]?.map((day) => (
          <div key={day} role="columnheader" aria-label={dayText(day, 'long').split(' ')[0]}>
            {dayText(day, 'weekday')}
          </div>
        ))}
      </div>
      {weeks.map((week, lane) => (
        <WeekRow
          key={week[0]}
          week={week}
          lane={lane}
          month={month}
          items={items}
          today={today}
          marked={marked}
          weekend={props.weekend}
          extra={props.extra}
          most={most}
          edges={props.onResize !== undefined}
          focus={lane === focusLane ? focusDay : -1}
          chosenId={lane === focusLane ? chosenOf(dayAt(keys.focus))?.id : undefined}
          from={from}
          to={to}
          ghost={ghost || undefined}
          onDay={props.onDay}
        />
      ))}
    </div>
  )
}
