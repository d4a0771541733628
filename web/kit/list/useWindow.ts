import {
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'

/** Rows rendered beyond each visible edge. */
const AHEAD = 10
/** Rows rendered per frame. */
const STEP = 2
const snapped = (n: number) => Math.floor(n / STEP) * STEP

/** Offsets of rows with these heights; the last entry is the total height. */
export function offsetsOf(heights: readonly number[]): number[] {
  const offsets = [0]
  for (const height of heights) offsets.push(offsets.at(-1)! + height) // starts with one entry
  return offsets
}

/** Index of the row at a height, limited to the first and last row. */
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

interface Sight {
  top: number
  height: number
  ahead: number
}

/**
 * Rows that a virtualised list must render: the visible ones and some around. Also tells whether more rows exist above
 * or below.
 */
export function useWindow(scroller: RefObject<HTMLElement | null>, heights: readonly number[], above: number) {
  const offsets = useMemo(() => offsetsOf(heights), [heights])
  const rowsOf = useCallback(
    ({ top, height, ahead }: Sight) => ({
      first: Math.max(0, snapped(rowAt(offsets, top - above)) - ahead),
      last: Math.min(offsets.length - 2, snapped(rowAt(offsets, top + height)) + STEP - 1 + ahead),
    }),
    [offsets, above],
  )
  // the first render shows visible rows; rows beyond the edges follow
  const [sight, setSight] = useState<Sight>({ top: 0, height: 900, ahead: 0 })
  const [wide, setWide] = useState(false)
  const { first, last } = rowsOf(sight)
  const drawn = useRef({ first, last })
  useLayoutEffect(() => {
    drawn.current = { first, last }
  }, [first, last])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let height = 0
    const look = () => {
      const bare = { top: element.scrollTop, height, ahead: 0 }
      const wanted = rowsOf(bare)
      // after a jump the visible rows are not rendered yet: render now, to avoid a blank frame
      if (wanted.first < drawn.current.first || wanted.last > drawn.current.last) flushSync(() => setSight(bare))
      startTransition(() =>
        setSight((now) => {
          const next = { ...bare, ahead: AHEAD }
          const [old, rows] = [rowsOf(now), rowsOf(next)]
          return old.first === rows.first && old.last === rows.last ? now : next
        }),
      )
    }
    const measure = () => {
      height = element.clientHeight
      setWide(element.scrollWidth > element.clientWidth)
      look()
    }
    element.addEventListener('scroll', look, { passive: true })
    const resized = new ResizeObserver(measure)
    for (const one of [element, ...element.children]) resized.observe(one)
    return () => {
      element.removeEventListener('scroll', look)
      resized.disconnect()
    }
  }, [scroller, rowsOf])
  return { offsets, first, last, wide }
}
