import { type CSSProperties, type MouseEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useWindow } from '../list/useWindow.ts'
import css from './calendar.module.css'
import { columnsOf } from './columns.ts'
import { type Day, daysFrom } from './days.ts'
import {
  type CalendarItem,
  isOn,
  linesOf,
  moved,
  type Obstacle,
  type Place,
  place,
  type Scale,
  spanOf,
  stretched,
} from './items.ts'
import { LaneHead, type TopRow } from './LaneHead.tsx'
import { type Lane, LaneRow } from './LaneRow.tsx'
import { type Drag, type Spot, useDrag } from './useDrag.ts'
import { type Cell, useGridKeys } from './useGridKeys.ts'

export type { Lane, TopRow }

/** Selected rows and days, both ends included. */
export interface Picked {
  lanes: string[]
  from: Day
  to: Day
}
interface Props<I extends CalendarItem> {
  /** Name of the grid for screen readers. */
  label: string
  days: readonly Day[]
  lanes: readonly Lane<I>[]
  today: Day
  /** `time`: items with minutes lie at their time of day, in steps of half an hour. */
  scale?: Scale
  marked?: ReadonlyMap<Day, string>
  /** Days of the weekend, 1 is Monday. */
  weekend?: readonly number[]
  /** Sticky rows below the days, for instance coverage. */
  tops?: readonly TopRow[]
  endTitle?: string
  /** Actions without a handler are not offered. */
  onOpen?: (item: I) => void
  onPick?: (picked: Picked) => void
  onMove?: (item: I, place: Place & { lane: string }) => void
  /** What stands against this place, shown while an item is dragged over it. */
  obstacle?: (item: I, place: Place & { lane: string }) => Obstacle | undefined
  onResize?: (item: I, place: Place) => void
  onRemove?: (items: I[]) => void
  /** Arrow over the edge, Alt+Page: the next (1) or previous (-1) period. */
  onTurn?: (by: 1 | -1) => void
  /** First and last row that is drawn, for grids that read their items as rows come into view. */
  onRows?: ((first: number, last: number) => void) | undefined
  /** Content without rows. */
  empty?: ReactNode
}

const LINE = 28
const PAD = 6
const HALF_HOUR = 30
const none: TopRow[] = []

/** A virtualised grid: a column per day, a row per person. */
export function LaneGrid<I extends CalendarItem>(props: Props<I>) {
  const { days, lanes, scale = 'day', tops = none, endTitle, marked, weekend, today, onTurn, onRows } = props
  const first = days[0] ?? today
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useRef<HTMLDivElement>(null)
  const placed = useMemo(
    () => lanes.map(({ items }) => place(items, first, days.length, scale)),
    [lanes, first, days.length, scale],
  )
  const columns = useMemo(() => columnsOf(days, today, weekend, marked), [days, today, weekend, marked])
  const heights = useMemo(() => placed.map((row) => linesOf(row) * LINE + PAD), [placed])
  const above = 44 + tops.length * 25
  const { offsets, first: drawnFrom, last: drawnTo, wide } = useWindow(scroller, heights, above)
  useEffect(() => onRows?.(drawnFrom, drawnTo), [onRows, drawnFrom, drawnTo])
  const step = scale === 'time' ? HALF_HOUR : 1440
  const [nth, setNth] = useState(0)

  const itemsAt = ({ lane, day }: Cell) => {
    const at = days[day]
    return at === undefined ? [] : (lanes[lane]?.items ?? []).filter((item) => isOn(item, at))
  }
  const picked = (a: Cell, b: Cell): Picked => ({
    lanes: lanes.slice(Math.min(a.lane, b.lane), Math.max(a.lane, b.lane) + 1).map(({ id }) => id),
    from: days[Math.min(a.day, b.day)] ?? first,
    to: days[Math.max(a.day, b.day)] ?? first,
  })
  const chosenOf = (cell: Cell) => {
    const there = itemsAt(cell)
    return there[nth % Math.max(1, there.length)]
  }
  const keys = useGridKeys(
    {
      lanes: lanes.length,
      days: days.length,
      onTurn,
      enter: () => {
        const item = keys.anchor ? undefined : chosenOf(keys.focus)
        if (item) props.onOpen?.(item)
        else props.onPick?.(picked(keys.anchor ?? keys.focus, keys.focus))
      },
      add: () => props.onPick?.(picked(keys.anchor ?? keys.focus, keys.focus)),
      remove: () => {
        const chosen = chosenOf(keys.focus)
        const all = keys.anchor ? cellsOf(keys.anchor, keys.focus).flatMap(itemsAt) : chosen ? [chosen] : []
        const free = [...new Set(all)].filter(({ fixed }) => !fixed)
        if (free.length) props.onRemove?.(free)
      },
      next: () => setNth(nth + 1),
      move: (byLanes, byDays) => {
        const item = chosenOf(keys.focus)
        const lane = lanes[keys.focus.lane + byLanes]
        if (!item || item.fixed || !lane || !props.onMove) return
        props.onMove(item, { lane: lane.id, ...moved(item, byDays * 1440) })
        keys.go({ lane: keys.focus.lane + byLanes, day: keys.focus.day + byDays })
      },
      stretch: (by) => {
        const item = chosenOf(keys.focus)
        if (item && !item.fixed) props.onResize?.(item, stretched(item, 'end', by * step, step))
      },
    },
    { lane: 0, day: Math.max(0, days.indexOf(today)) },
  )

  const spotOf = (event: MouseEvent): Spot => {
    const box = rows.current?.getBoundingClientRect()
    const bars = rows.current?.querySelector(`.${css.bars}`)?.getBoundingClientRect()
    if (!box || !bars) return { lane: 0, at: 0 }
    const y = event.clientY - box.top
    const lane = offsets.findIndex((offset, n) => y < (offsets[n + 1] ?? Number.POSITIVE_INFINITY) && y >= offset)
    const at = ((event.clientX - bars.left) / bars.width) * days.length
    return {
      lane: Math.min(Math.max(0, lane), lanes.length - 1),
      at: Math.min(Math.max(0, at), days.length - 0.001),
    }
  }
  const targetOf = ({ kind, item, from, to }: Drag<I>): (Place & { lane: string }) | undefined => {
    const lane = lanes[kind === 'move' ? to.lane : from.lane]
    if (!item || !lane || kind === 'select') return undefined
    const by = Math.round((to.at - from.at) * 1440)
    return { lane: lane.id, ...(kind === 'move' ? moved(item, by) : stretched(item, kind, by, step)) }
  }
  const { drag, handlers } = useDrag<I>({
    spotOf,
    itemOf: (id) => {
      for (const { items } of lanes) for (const item of items) if (item.id === id) return item
      return undefined
    },
    can: { select: !!props.onPick, move: !!props.onMove, resize: !!props.onResize },
    step: step / 1440,
    onTap: (item, spot, event) => {
      const cell = { lane: spot.lane, day: Math.floor(spot.at) }
      const from = event.shiftKey ? keys.focus : undefined
      keys.click(cell, from)
      if (item) props.onOpen?.(item)
      else props.onPick?.(picked(from ?? cell, cell))
    },
    onDrop: (done) => {
      if (done.kind === 'select') return props.onPick?.(picked(cellAt(done.from), cellAt(done.to)))
      const target = targetOf(done)
      if (!target || !done.item || isSamePlace(done, target)) return
      if (done.kind === 'move') props.onMove?.(done.item, target)
      else props.onResize?.(done.item, target)
    },
  })

  // virtualised cells mount late, and another period has other cells
  const { lane: focusLane, day: focusDay } = keys.focus
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!keys.follows) return
    scroller.current?.querySelector<HTMLElement>(`[data-cell="${focusLane}:${focusDay}"]`)?.focus()
  }, [focusLane, focusDay, keys.follows, first])

  const chosen =
    drag?.kind === 'select' ? [cellAt(drag.from), cellAt(drag.to)] : keys.anchor ? [keys.anchor, keys.focus] : undefined
  const target = drag && targetOf(drag)
  const ghostOf = (lane: string) => {
    if (!drag?.item || !target || target.lane !== lane) return undefined
    const item = { ...drag.item, ...target }
    const span = spanOf(item, first, days.length, scale)
    return span && { item, ...span, line: 0 }
  }
  const obstacleOf = (lane: string) =>
    drag?.kind === 'move' && drag.item && target ? props.obstacle?.(drag.item, { ...target, lane }) : undefined
  const drawn = lanes.flatMap((_, n) => ((n >= drawnFrom && n <= drawnTo) || n === focusLane ? [n] : []))
  const chosenId = chosenOf(keys.focus)?.id
  return (
    <div
      ref={scroller}
      className={css.scroller}
      data-scale={scale}
      data-many={days.length > 14 || undefined}
      data-wide={wide || undefined}
    >
      <div
        role="grid"
        aria-label={props.label}
        aria-rowcount={lanes.length + 1}
        aria-colcount={days.length + 1 + (endTitle ? 1 : 0)}
        aria-multiselectable={props.onPick ? true : undefined}
        className={css.lanes}
        data-end={endTitle ? true : undefined}
        style={{ '--cal-days': days.length, '--cal-line': `${LINE}px` } as CSSProperties}
        onKeyDown={keys.onKeyDown}
        onFocus={keys.onFocus}
        onBlur={keys.onBlur}
      >
        <LaneHead columns={columns} tops={tops} endTitle={endTitle} />
        <div
          ref={rows}
          role="rowgroup"
          className={css.rows}
          data-dragging={drag?.kind}
          style={{ height: offsets.at(-1) }}
          {...handlers}
        >
          {drawn.map((n) => {
            const lane = lanes[n]
            if (!lane) return null
            const isChosen =
              chosen &&
              n >= Math.min(chosen[0]!.lane, chosen[1]!.lane) &&
              n <= Math.max(chosen[0]!.lane, chosen[1]!.lane)
            return (
              <LaneRow
                key={lane.id}
                lane={lane}
                placed={placed[n] ?? []}
                index={n}
                top={offsets[n] ?? 0}
                height={heights[n] ?? LINE + PAD}
                columns={columns}
                narrow={days.length > 14}
                edges={props.onResize !== undefined}
                hasEnd={endTitle !== undefined}
                focus={n === focusLane ? focusDay : -1}
                chosenId={n === focusLane ? chosenId : undefined}
                from={isChosen ? Math.min(chosen[0]!.day, chosen[1]!.day) : -1}
                to={isChosen ? Math.max(chosen[0]!.day, chosen[1]!.day) : -1}
                ghost={ghostOf(lane.id)}
                {...troubleOf(obstacleOf(lane.id))}
              />
            )
          })}
        </div>
      </div>
      {lanes.length === 0 && props.empty}
    </div>
  )
}

/** As values, so that a row is drawn again only when they change. */
const troubleOf = (obstacle: Obstacle | undefined) => ({ trouble: obstacle?.text, refused: obstacle?.refuses === true })

const cellAt = ({ lane, at }: Spot): Cell => ({ lane, day: Math.floor(at) })

function cellsOf(a: Cell, b: Cell): Cell[] {
  const cells: Cell[] = []
  for (let lane = Math.min(a.lane, b.lane); lane <= Math.max(a.lane, b.lane); lane++)
    for (let day = Math.min(a.day, b.day); day <= Math.max(a.day, b.day); day++) cells.push({ lane, day })
  return cells
}

const isSamePlace = <I extends CalendarItem>({ kind, item, from, to }: Drag<I>, target: Place): boolean =>
  (kind !== 'move' || from.lane === to.lane) &&
  item !== undefined &&
  daysFrom(item.from, target.from) === 0 &&
  daysFrom(item.to, target.to) === 0 &&
  item.minutes?.[0] === target.minutes?.[0] &&
  item.minutes?.[1] === target.minutes?.[1]
