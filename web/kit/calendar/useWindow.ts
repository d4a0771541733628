import { type RefObject, useEffect, useMemo, useState } from 'react'

/** Rows beyond the edges that are drawn ahead, and the step in which more are. */
const AHEAD = 8

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

/** Which rows have to be drawn: those in sight and some around. It changes eight rows at a time, not with every pixel. */
export function useWindow(scroller: RefObject<HTMLElement | null>, heights: readonly number[], above: number) {
  const offsets = useMemo(() => offsetsOf(heights), [heights])
  const [sight, setSight] = useState({ top: 0, height: 900 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => {
      const next = { top: element.scrollTop, height: element.clientHeight }
      setSight((now) => (Math.abs(now.top - next.top) < 120 && now.height === next.height ? now : next))
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    const resized = new ResizeObserver(look)
    resized.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      resized.disconnect()
    }
  }, [scroller])
  const snap = (n: number) => Math.floor(n / AHEAD) * AHEAD
  const first = Math.max(0, snap(rowAt(offsets, sight.top - above) - AHEAD))
  const last = Math.min(heights.length - 1, snap(rowAt(offsets, sight.top + sight.height) + 2 * AHEAD))
  return { offsets, first, last }
}
