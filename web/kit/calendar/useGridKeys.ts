import { type FocusEvent, type KeyboardEvent, useState } from 'react'

/** A cell by its place: row, and column of days. */
export interface Cell {
  lane: number
  day: number
}
interface Rules {
  lanes: number
  days: number
  /** A week goes on in the next row; else the last column is an end. */
  wraps?: boolean
  /** Over the edge: the period before or after. */
  onTurn?: (by: 1 | -1) => void
  /** Enter: what lies there, or something new where nothing does. */
  enter: () => void
  /** Insert: something new, also beside what lies there. */
  add: () => void
  /** Delete. */
  remove: () => void
  /** Space: the next of several in one cell. */
  next: () => void
  /** Alt and arrows. */
  move: (lanes: number, days: number) => void
  /** Alt, Shift and arrows: earlier or later end. */
  stretch: (by: 1 | -1) => void
}

const bounded = (n: number, most: number) => Math.min(Math.max(0, n), Math.max(0, most - 1))

/** The one cell that Tab reaches, and the keys that lead from it. With Shift the arrows choose a range from `anchor`. */
export function useGridKeys(rules: Rules, start: Cell) {
  const { lanes, days, wraps, onTurn } = rules
  const [focus, setFocus] = useState(start)
  const [anchor, setAnchor] = useState<Cell>()
  /** Keys move the focus of the page along; a click has moved it already. */
  const [follows, setFollows] = useState(false)
  const at = { lane: bounded(focus.lane, lanes), day: bounded(focus.day, days) }

  const go = (to: Cell, keep: boolean) => {
    setFollows(true)
    setAnchor(keep ? (anchor ?? at) : undefined)
    setFocus({ lane: bounded(to.lane, lanes), day: bounded(to.day, days) })
  }
  /** The focus of the page stays in its cell, which is another day's then. */
  const turn = (by: 1 | -1) => {
    setFollows(true)
    setAnchor(undefined)
    onTurn?.(by)
  }
  const sideways = (by: 1 | -1, keep: boolean) => {
    const day = at.day + by
    if (day >= 0 && day < days) return go({ ...at, day }, keep)
    const lane = at.lane + by
    if (wraps && lane >= 0 && lane < lanes) return go({ lane, day: by > 0 ? 0 : days - 1 }, keep)
    if (keep || !onTurn) return
    turn(by)
    go({ lane: wraps ? (by > 0 ? 0 : lanes - 1) : at.lane, day: by > 0 ? 0 : days - 1 }, false)
  }
  const arrows: Record<string, readonly [lanes: number, days: number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
  }
  const others: Record<string, (event: KeyboardEvent) => void> = {
    Home: ({ shiftKey, ctrlKey }) => go({ lane: ctrlKey ? 0 : at.lane, day: 0 }, shiftKey),
    End: ({ shiftKey, ctrlKey }) => go({ lane: ctrlKey ? lanes - 1 : at.lane, day: days - 1 }, shiftKey),
    PageUp: ({ altKey }) => (altKey || wraps ? turn(-1) : go({ ...at, lane: at.lane - 10 }, false)),
    PageDown: ({ altKey }) => (altKey || wraps ? turn(1) : go({ ...at, lane: at.lane + 10 }, false)),
    Enter: () => rules.enter(),
    Insert: () => rules.add(),
    Delete: () => rules.remove(),
    Backspace: () => rules.remove(),
    ' ': () => rules.next(),
  }
  return {
    focus: at,
    anchor: anchor && { lane: bounded(anchor.lane, lanes), day: bounded(anchor.day, days) },
    follows,
    /** What was moved by keys takes them along. */
    go: (to: Cell) => go(to, false),
    /** A click: the cell has the focus, and a range that was chosen is forgotten. */
    click: (to: Cell, from?: Cell) => {
      setFollows(false)
      setAnchor(from)
      setFocus(to)
    },
    /** What brings the focus there by itself, as a screen reader does, means that cell. */
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      const [lane, day] = (target.dataset.cell ?? '').split(':').map(Number)
      if (lane === undefined || day === undefined || (lane === at.lane && day === at.day)) return
      setFollows(false)
      setAnchor(undefined)
      setFocus({ lane, day })
    },
    /** Who has gone elsewhere is not fetched back when the period turns. */
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
      if (relatedTarget && !currentTarget.contains(relatedTarget)) setFollows(false)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.metaKey) return
      const arrow = arrows[event.key]
      if (arrow) {
        const [byLanes, byDays] = arrow
        if (event.altKey && event.shiftKey && byDays) rules.stretch(byDays > 0 ? 1 : -1)
        else if (event.altKey) rules.move(byLanes, byDays)
        else if (byDays) sideways(byDays > 0 ? 1 : -1, event.shiftKey)
        else go({ ...at, lane: at.lane + byLanes }, event.shiftKey)
      } else if (event.key === 'Escape' && anchor) setAnchor(undefined)
      else if (others[event.key]) others[event.key]?.(event)
      else return
      event.preventDefault()
    },
  }
}
