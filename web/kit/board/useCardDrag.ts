import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { CardId, Spot } from './moves.ts'

/** The card being dragged: its target position, and the pointer with its offset from the card's corner. */
export interface CardDrag {
  id: CardId
  to: Spot
  x: number
  y: number
  width: number
}
interface Rules {
  board: RefObject<HTMLElement | null>
  cardHeight: number
  idOf: (text: string) => CardId | undefined
  canDrag: boolean
  onTap: (id: CardId) => void
  onDrop: (id: CardId, to: Spot) => void
}

/** Pixels of movement that do not start a drag. */
const SHAKE = 5
/** Within so many pixels of an edge the board scrolls, by SPEED pixels per frame. */
const EDGE = 48
const SPEED = 12

/** Dragging by mouse or pen. Touch scrolls, and moves cards by their menu. Escape cancels. */
export function useCardDrag({ board, cardHeight, idOf, canDrag, onTap, onDrop }: Rules) {
  const [drag, setDrag] = useState<CardDrag>()
  const begun = useRef<{ id: CardId; x: number; y: number; dx: number; dy: number; width: number; far: boolean }>(
    undefined,
  )
  const pointer = useRef({ x: 0, y: 0 })
  const stop = () => {
    begun.current = undefined
    setDrag(undefined)
  }

  const isDragging = drag !== undefined
  useEffect(() => {
    if (!isDragging) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      begun.current = undefined
      setDrag(undefined)
    }
    let frame = 0
    const scroll = () => {
      frame = requestAnimationFrame(scroll)
      const { x, y } = pointer.current
      const list = listAt(board.current, x)
      if (list) nudge(list, y, 'top')
      if (board.current) nudge(board.current, x, 'left')
    }
    frame = requestAnimationFrame(scroll)
    document.addEventListener('keydown', onKey)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('keydown', onKey)
    }
  }, [isDragging, board])

  const spotAt = (x: number, middle: number): Spot | undefined => {
    const list = listAt(board.current, x)
    if (!list) return undefined
    const within = middle - list.getBoundingClientRect().top + list.scrollTop
    return { column: Number(list.dataset.list), index: Math.max(0, Math.floor(within / cardHeight)) }
  }
  return {
    drag,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (!canDrag || event.button !== 0 || event.pointerType === 'touch' || !(event.target instanceof Element))
          return
        if (event.target.closest('a, button, input, [role=menu]')) return
        const card = event.target.closest<HTMLElement>('[data-card]')
        const id = idOf(card?.dataset.card ?? '')
        if (!card || id === undefined) return
        const { left, top, width } = card.getBoundingClientRect()
        const { clientX: x, clientY: y } = event
        begun.current = { id, x, y, dx: x - left, dy: y - top, width, far: false }
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const now = begun.current
        const { clientX: x, clientY: y, currentTarget, pointerId } = event
        if (!now || (!now.far && Math.hypot(x - now.x, y - now.y) < SHAKE)) return
        if (!now.far) currentTarget.setPointerCapture(pointerId)
        now.far = true
        pointer.current = { x, y }
        const to = spotAt(x, y - now.dy + cardHeight / 2)
        if (to) setDrag({ id: now.id, to, x: x - now.dx, y: y - now.dy, width: now.width })
      },
      onPointerUp: () => {
        const now = begun.current
        stop()
        if (now?.far && drag) onDrop(now.id, drag.to)
        else if (now) onTap(now.id)
      },
      onPointerCancel: stop,
    },
  }
}

/** The column's list at this horizontal position. */
function listAt(board: HTMLElement | null, x: number): HTMLElement | undefined {
  const lists = [...(board?.querySelectorAll<HTMLElement>('[data-list]') ?? [])]
  return lists.find((list) => {
    const { left, right } = list.getBoundingClientRect()
    return x >= left && x < right
  })
}

function nudge(element: HTMLElement, at: number, edge: 'top' | 'left'): void {
  const rectangle = element.getBoundingClientRect()
  const [start, end] = edge === 'top' ? [rectangle.top, rectangle.bottom] : [rectangle.left, rectangle.right]
  const by = at < start + EDGE ? -SPEED : at > end - EDGE ? SPEED : 0
  if (by) element.scrollBy({ [edge]: by, behavior: 'instant' })
}
