import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { rowAt, useWindow } from '../list/useWindow.ts'

/** Visible rows, whose heights are unknown until they are rendered. */
interface Rows {
  ids: readonly string[]
  /** Estimated heights in pixels. */
  estimates: readonly number[]
  /** `last`: starts at the end and stays there when rows are added. */
  from: 'first' | 'last'
}

/** Distance in pixels from the end that counts as the end. */
const NEAR = 24

/**
 * Windowing for rows of unknown height. Rows carry their id in `data-row` and are measured after rendering. The row at
 * the upper edge keeps its position when rows above it are measured, added or removed.
 */
export function useMeasuredRows(scroller: RefObject<HTMLElement | null>, { ids, estimates, from }: Rows) {
  const [known, setKnown] = useState<ReadonlyMap<string, number>>(new Map())
  const heights = useMemo(() => ids.map((id, n) => known.get(id) ?? estimates[n] ?? 0), [ids, estimates, known])
  const { offsets, first, last } = useWindow(scroller, heights, 0)
  const stays = useRef(from === 'last')

  const measure = useCallback(() => {
    // a hidden pane has no size
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

  // another width breaks all texts differently
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
