import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { CalendarItem } from './items.ts'

/** Position on a grid: its row, and days from the first day in fractions. */
export interface Spot {
  lane: number
  at: number
}
export interface Drag<I> {
  /** Selects cells, or moves an item or one of its ends. */
  kind: 'select' | 'move' | 'start' | 'end'
  item: I | undefined
  from: Spot
  to: Spot
}
interface Rules<I> {
  spotOf: (event: MouseEvent) => Spot
  itemOf: (id: string) => I | undefined
  /** Allowed gestures; others do not start. */
  can: { select: boolean; move: boolean; resize: boolean }
  /** Part of a day to which drops are rounded. */
  step: number
  onTap: (item: I | undefined, spot: Spot, event: MouseEvent) => void
  onDrop: (drag: Drag<I>) => void
}

/** Movement in pixels that still counts as a click. */
const SHAKE = 4

/**
 * Selects, moves and resizes by mouse or pen. Items carry `data-item`, their ends `data-edge`. Touch scrolls and taps
 * only; forms replace dragging there.
 */
export function useDrag<I extends CalendarItem>(rules: Rules<I>) {
  const [drag, setDrag] = useState<Drag<I>>()
  const begun = useRef<Drag<I> & { x: number; y: number; far: boolean }>(undefined)
  const justDropped = useRef(false)
  const stop = () => {
    begun.current = undefined
    setDrag(undefined)
  }

  const isDragging = drag !== undefined
  useEffect(() => {
    if (!isDragging) return
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      begun.current = undefined
      setDrag(undefined)
    }
    document.addEventListener('keydown', cancel)
    return () => document.removeEventListener('keydown', cancel)
  }, [isDragging])

  const at = (drag: Drag<I>, spot: Spot): Drag<I> => {
    const moved = Math.round((spot.at - drag.from.at) / rules.step) * rules.step
    return { ...drag, to: drag.kind === 'select' ? spot : { lane: spot.lane, at: drag.from.at + moved } }
  }
  return {
    drag,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        justDropped.current = false
        if (event.button !== 0 || event.pointerType === 'touch' || !(event.target instanceof Element)) return
        const id = event.target.closest('[data-item]')?.getAttribute('data-item')
        const item = id ? rules.itemOf(id) : undefined
        const edge = event.target.closest('[data-edge]')?.getAttribute('data-edge')
        const kind = !item ? 'select' : edge === 'start' || edge === 'end' ? edge : 'move'
        const may = kind === 'select' ? rules.can.select : kind === 'move' ? rules.can.move : rules.can.resize
        if (!may || item?.fixed) return
        const spot = rules.spotOf(event)
        begun.current = { kind, item, from: spot, to: spot, x: event.clientX, y: event.clientY, far: false }
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const now = begun.current
        if (!now) return
        if (!now.far && Math.hypot(event.clientX - now.x, event.clientY - now.y) < SHAKE) return
        if (!now.far) event.currentTarget.setPointerCapture(event.pointerId)
        now.far = true
        const next = at(now, rules.spotOf(event))
        const isSame = drag && next.to.lane === drag.to.lane && next.to.at === drag.to.at
        if (!isSame) setDrag({ kind: next.kind, item: next.item, from: next.from, to: next.to })
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const now = begun.current
        stop()
        if (!now?.far) return
        justDropped.current = true
        rules.onDrop(at(now, rules.spotOf(event)))
      },
      onPointerCancel: stop,
      onClick: (event: MouseEvent<HTMLElement>) => {
        if (justDropped.current || !(event.target instanceof Element)) return
        const id = event.target.closest('[data-item]')?.getAttribute('data-item')
        rules.onTap(id ? rules.itemOf(id) : undefined, rules.spotOf(event), event)
      },
    },
  }
}
