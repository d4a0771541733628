import { useHotkeys } from '@mantine/hooks'
import { type RefObject, useRef } from 'react'

/** J and K move the focus to the next and the previous row, X selects the row with the focus; Enter opens its link. */
export function useRowKeys(): RefObject<HTMLTableElement | null> {
  const table = useRef<HTMLTableElement>(null)
  const rows = () => [...(table.current?.tBodies[0]?.rows ?? [])]
  const current = () => rows().findIndex((row) => row.contains(document.activeElement))
  const isElsewhere = () => document.activeElement?.closest('[role="dialog"], [role="menu"]') != null
  const step = (by: 1 | -1) => {
    if (isElsewhere()) return
    const at = current()
    const next = rows()[at < 0 ? 0 : at + by]
    // not the tick: letters typed in an input are no keys
    const place = next?.querySelector<HTMLElement>('a[href]') ?? next?.querySelector<HTMLElement>('button')
    place?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  const pick = () => {
    if (!isElsewhere()) rows()[current()]?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click()
  }
  useHotkeys([
    ['J', () => step(1)],
    ['K', () => step(-1)],
    ['X', pick],
  ])
  return table
}
