import { type RefObject, startTransition, useEffect, useMemo, useState } from 'react'

/** Rows beyond the edges that are drawn ahead. */
const AHEAD = 8
/** Rows that come at a time: each time all that is in sight is painted anew. */
const STEP = 8

/** Where rows of these heights begin; the last figure is where they all end. */
export function offsetsOf(heights: readonly number[]): number[] {
  const offsets = [0]
  for (const height of heights) offsets.push(offsets.at(-1)! + height) // begun with one
  return offsets
}

/** The row at a height, bounded by the first and the last. */
export function rowAt(offsets: readonly number[], y: number): number {
  let low = 0
  let high = Math.max(0, offsets.length - 2)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((offsets[middle] ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return low
}

/** Which rows have to be drawn: those in sight and some around; and whether there is more to either side. */
export function useWindow(scroller: RefObject<HTMLElement | null>, heights: readonly number[], above: number) {
  const offsets = useMemo(() => offsetsOf(heights), [heights])
  const [sight, setSight] = useState({ top: 0, height: 900, wide: false })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => {
      const next = {
        top: element.scrollTop,
        height: element.clientHeight,
        wide: element.scrollWidth > element.clientWidth,
      }
      const isNear = (now: typeof next) => Math.abs(now.top - next.top) < 120
      setSight((now) => (isNear(now) && now.height === next.height && now.wide === next.wide ? now : next))
    }
    // what comes into sight was drawn before: there is time for the frames between
    const scrolled = () => startTransition(look)
    look()
    element.addEventListener('scroll', scrolled, { passive: true })
    const resized = new ResizeObserver(look)
    for (const one of [element, ...element.children]) resized.observe(one)
    return () => {
      element.removeEventListener('scroll', scrolled)
      resized.disconnect()
    }
  }, [scroller])
  const snap = (n: number) => Math.floor(n / STEP) * STEP
  const first = Math.max(0, snap(rowAt(offsets, sight.top - above) - AHEAD))
  const last = Math.min(heights.length - 1, snap(rowAt(offsets, sight.top + sight.height) + AHEAD + STEP))
  return { offsets, first, last, wide: sight.wide }
}
