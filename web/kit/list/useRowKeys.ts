import { type RefObject, useRef, useState } from 'react'
import { type KeyWords, useKeyHelp, useKeys } from '../frame/keys.ts'
import { listTexts } from './texts.ts'

const rowKeys = (): KeyWords => {
  const words = listTexts()
  return [
    ['J, K', words.keyStep],
    ['↵', words.keyOpen],
    ['Space', words.keyPeek],
    ['↑ ↓', words.keyArrows],
    ['X', words.keySelect],
    ['Esc', words.keyEsc],
  ]
}

interface RowKeys {
  table: RefObject<HTMLTableElement | null>
  /** Id of the row that the person peeks at. */
  peeked: number | undefined
  peek: (id: number | undefined) => void
}

/** An element that Space presses or that takes letters. */
const PRESSED = 'button, input, textarea, select, [role="menuitem"], [role="tab"]'

/**
 * J and K move the focus to the next and the previous row, X selects the row with the focus; Enter opens its link. Space
 * peeks at the row: until Esc, the arrows move, too, and the peek follows the focus. `clear` takes back the selection.
 */
export function useRowKeys(clear: () => void): RowKeys {
  const table = useRef<HTMLTableElement>(null)
  const [peeked, setPeeked] = useState<number>()
  useKeyHelp(listTexts().inList, rowKeys)
  const rows = () => [...(table.current?.tBodies[0]?.rows ?? [])]
  const current = () => rows().findIndex((row) => row.contains(document.activeElement))
  const idOf = (row: HTMLTableRowElement | undefined) => (row ? Number(row.dataset.row) : undefined)
  const isElsewhere = () => document.activeElement?.closest('[role="dialog"], [role="menu"]') != null
  const step = (by: 1 | -1) => {
    if (isElsewhere()) return
    const all = rows()
    const at = current() < 0 && peeked !== undefined ? all.findIndex((row) => idOf(row) === peeked) : current()
    const next = all[at < 0 ? 0 : at + by]
    if (!next) return
    focusRow(next)
    if (peeked !== undefined) setPeeked(idOf(next))
  }
  const pick = () => {
    if (!isElsewhere()) rows()[current()]?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click()
  }
  const look = (event: KeyboardEvent) => {
    const id = idOf(rows()[current()])
    if (id === undefined || isElsewhere() || document.activeElement?.matches(PRESSED)) return
    event.preventDefault()
    setPeeked(id === peeked ? undefined : id)
  }
  const arrow = (by: 1 | -1) => (event: KeyboardEvent) => {
    if (peeked === undefined || isElsewhere()) return
    event.preventDefault()
    step(by)
  }
  const leave = () => {
    if (isElsewhere()) return
    if (peeked === undefined) clear()
    else setPeeked(undefined)
  }
  const gentle = { preventDefault: false }
  useKeys([
    ['J', () => step(1)],
    ['K', () => step(-1)],
    ['X', pick],
    ['Space', look, gentle],
    ['ArrowDown', arrow(1), gentle],
    ['ArrowUp', arrow(-1), gentle],
    ['Escape', leave, gentle],
  ])
  return { table, peeked, peek: setPeeked }
}

/** Focuses the link of a row, else its first button, else the row itself. */
export function focusRow(row: HTMLTableRowElement): void {
  // not the tick: letters typed in an input are no keys
  const place = row.querySelector<HTMLElement>('a[href]') ?? row.querySelector<HTMLElement>('button') ?? row
  if (place === row) row.tabIndex = -1
  place.focus()
  row.scrollIntoView({ block: 'nearest' })
}
