import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { rowAt, useWindow } from '../list/useWindow.ts'

/** Rows in sight whose heights nobody knows before they are drawn. */
interface Rows {
  ids: readonly string[]
  /** About how high each row is, until it was measured. */
  estimates: readonly number[]
  /** `last`: opens at the end and stays there while rows are added. */
  from: 'first' | 'last'
}

/** Pixels from the end that still count as the end. */
const NEAR = 24

/**
 * Windowing for rows of unknown height. Rows carry `data-row` with their id and are measured once drawn; the row at the
 * upper edge keeps its place whatever is measured, added or removed above it.
 */
export function useMeasuredRows(scroller: RefObject<HTMLElement | null>, { ids, estimates, from }: Rows) {
  const [known, setKnown] = useState<ReadonlyMap<string, number>>(new Map())
  const heights = useMemo(() => ids.map((id, n) => known.get(id) ?? estimates[n] ?? 0), [ids, estimates, known])
  const { offsets, first, last } = useWindow(scroller, heights, 0)
  const stays = useRef(from === 'last')

  const measure = useCallback(() => {
    // a pane that is hidden has no sizes
    if (!scroller.current?.clientWidth) return
    const changed: [string, number][] = []
    for (const element of scroller.current.querySelectorAll<HTMLElement>('[data-row]')) {
      const { row } = element.dataset
      const height = element.offsetHeight
      if (row !== undefined && known.get(row) !== height) changed.push([row, height])
    }
    if (changed.length) setKnown(new Map([...known, ...changed]))
  }, [scroller, known])
  useLayoutEffect(measure)

  // at another width every text breaks elsewhere
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let width = element.clientWidth
    const resized = new ResizeObserver(() => {
      if (element.clientWidth === width || !element.clientWidth) return
      width = element.clientWidth
      requestAnimationFrame(() => setKnown(new Map()))
    })
    const scrolled = () => {
      stays.current = from === 'last' && element.scrollHeight - element.scrollTop - element.clientHeight < NEAR
    }
    resized.observe(element)
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', scrolled)
    }
  }, [scroller, from])

  const before = useRef({ ids, offsets })
  useLayoutEffect(() => {
    const element = scroller.current
    const old = before.current
    before.current = { ids, offsets }
    if (!element?.clientWidth) return
    if (stays.current) {
      element.scrollTop = element.scrollHeight
      return
    }
    const n = rowAt(old.offsets, element.scrollTop)
    const now = old.ids[n] === ids[n] ? n : ids.indexOf(old.ids[n] ?? '')
    const by = now < 0 ? 0 : (offsets[now] ?? 0) - (old.offsets[n] ?? 0)
    if (by) element.scrollTop += by
  }, [scroller, ids, offsets])

  const show = (n: number) => {
    stays.current = false
    if (scroller.current) scroller.current.scrollTop = offsets[n] ?? 0
  }
  return { offsets, first, last, measure, show }
}
