import { type FocusEvent, type KeyboardEvent, useState } from 'react'
import { type KeyWords, useKeyHelp } from '../frame/keys.ts'
import { calendarTexts } from './texts.ts'

/** A cell by its row and its column of days. */
export interface Cell {
  lane: number
  day: number
}
interface Rules {
  lanes: number
  days: number
  /** Whether the last column leads to the next row, as in a month of weeks. */
  wraps?: boolean
  /** Moves to the next or previous period at the edge. */
  onTurn?: (by: 1 | -1) => void
  /** Enter: opens the item, or adds one to an empty cell. */
  enter: () => void
  /** Insert: adds an item, also to a filled cell. */
  add: () => void
  /** Delete. */
  remove: () => void
  /** Space: the next of several items in a cell. */
  next: () => void
  /** Alt and arrows. */
  move: (lanes: number, days: number) => void
  /** Alt, Shift and arrows: moves the end of an item. */
  stretch: (by: 1 | -1) => void
}

const bounded = (n: number, most: number) => Math.min(Math.max(0, n), Math.max(0, most - 1))

function gridKeys(): KeyWords {
  const words = calendarTexts()
  return [
    ['← → ↑ ↓', words.keyMove],
    [words.andArrows('⇧'), words.keySelect],
    ['↵', words.keyOpen],
    ['Insert', words.keyAdd],
    [words.space, words.keyNext],
    [words.andArrows('Alt'), words.keyMoveItem],
    ['Alt ⇧ ← →', words.keyMoveEnd],
    ['Delete', words.keyRemove],
    [`${words.page} ↑ ↓`, words.keyPage],
  ]
}

/** Roving tabindex of a grid with arrow keys. Shift and arrows select a range from `anchor`. */
export function useGridKeys(rules: Rules, start: Cell) {
  const { lanes, days, wraps, onTurn } = rules
  useKeyHelp(calendarTexts().inCalendar, gridKeys)
  const [focus, setFocus] = useState(start)
  const [anchor, setAnchor] = useState<Cell>()
  /** Whether the focus must move to the cell; after a click it has moved already. */
  const [follows, setFollows] = useState(false)
  const at = { lane: bounded(focus.lane, lanes), day: bounded(focus.day, days) }

  const go = (to: Cell, keep: boolean) => {
    setFollows(true)
    setAnchor(keep ? (anchor ?? at) : undefined)
    setFocus({ lane: bounded(to.lane, lanes), day: bounded(to.day, days) })
  }
  /** Changes the period and keeps the focus at its position. */
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
    /** Moves the focus along with an item moved by keys. */
    go: (to: Cell) => go(to, false),
    /** A click sets the focus and clears the selected range. */
    click: (to: Cell, from?: Cell) => {
      setFollows(false)
      setAnchor(from)
      setFocus(to)
    },
    /** Follows a focus set from outside, for instance by a screen reader. */
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      const [lane, day] = (target.dataset.cell ?? '').split(':').map(Number)
      if (lane === undefined || day === undefined || (lane === at.lane && day === at.day)) return
      setFollows(false)
      setAnchor(undefined)
      setFocus({ lane, day })
    },
    /** Stops following when the focus leaves the grid, so that a new period does not pull it back. */
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
