import { Button, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useWindow } from '../list/useWindow.ts'
import { type Choice, tickedAt, toggled } from './choice.ts'
import { rowByKey, rowByName, type TreeRow } from './rows.ts'
import { TreeItem } from './TreeItem.tsx'
import css from './tree.module.css'
import { type LoadFolder, useFolders } from './useFolders.ts'

interface Props {
  label: string
  /** Lists a folder, '' for the root. Keep the function stable between renders: another function means another tree. */
  load: LoadFolder
  /** Without it, nothing can be chosen. */
  choice?: Choice
  onChoice?: (choice: Choice) => void
  /** Called with the path of a file. */
  onOpen?: (path: string) => void
}

const ROW = 30
const ROW_ON_PHONE = 42
/** Milliseconds after which a typed letter starts a new search. */
const TYPING = 700

/**
 * A file tree whose folders load on demand. Arrow keys, Home and End move, letters find names, Space chooses, Enter
 * opens, * opens all sibling folders. The parent sets the height.
 */
export function FileTree({ label, load, choice, onChoice, onOpen }: Props) {
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const height = phone ? ROW_ON_PHONE : ROW
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, top, again, expand, collapse, childrenOf } = useFolders(load)
  const heights = useMemo(() => Array<number>(rows.length).fill(height), [rows.length, height])
  const { offsets, first, last } = useWindow(scroller, heights, 0)
  const [path, setPath] = useState('')
  const [follows, setFollows] = useState(0)
  const typed = useRef({ text: '', at: 0 })
  const at = Math.max(
    0,
    rows.findIndex((row) => row.path === path),
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: `follows` asks for the focus
  useEffect(() => {
    if (follows) scroller.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus()
  }, [follows])
  const go = (n: number) => {
    setPath(rows[n]?.path ?? '')
    setFollows(follows + 1)
  }
  const turn = (row: TreeRow) => {
    if (!row.node.isFolder) onOpen?.(row.path)
    else if (row.isOpen && row.folder?.state !== 'failed') collapse(row.path)
    else expand([row.path])
  }
  const tick = (row: TreeRow) => choice && onChoice?.(toggled(choice, row.path, childrenOf))
  const byLetter = (key: string): number | undefined => {
    const now = Date.now()
    const text = now - typed.current.at < TYPING ? typed.current.text + key : key
    typed.current = { text, at: now }
    return rowByName(rows, at, text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const to = rowByKey(rows, at, event.key)
    if (to !== undefined) go(to)
    else if (event.key === 'ArrowRight' && row.node.isFolder && !row.isOpen) expand([row.path])
    else if (event.key === 'ArrowLeft' && row.isOpen) collapse(row.path)
    else if (event.key === ' ' && choice) tick(row)
    else if (event.key === 'Enter' || event.key === ' ') turn(row)
    else if (event.key === '*') expand(siblings(rows, row))
    else if (event.key.length === 1) {
      const found = byLetter(event.key)
      if (found !== undefined) go(found)
    } else return
    event.preventDefault()
  }
  const rowOf = (target: EventTarget) =>
    target instanceof Element ? rows[Number(target.closest<HTMLElement>('[data-row]')?.dataset.row)] : undefined
  const onClick = ({ target }: MouseEvent) => {
    const row = rowOf(target)
    if (!row) return
    setPath(row.path)
    if (target instanceof Element && target.closest('[data-tick]')) tick(row)
    else turn(row)
  }
  const onFocus = ({ target }: FocusEvent) => setPath(rowOf(target)?.path ?? path)

  if (top?.state === 'failed')
    return (
      <div className={css.around} role="alert">
        <Text>{top.error.message}</Text>
        <Button size="xs" variant="default" mt={8} onClick={again}>
          Try again
        </Button>
      </div>
    )
  const drawn = rows.flatMap((_, n) => ((n >= first && n <= last) || n === at ? [n] : []))
  return (
    <div ref={scroller} className={css.scroller} aria-busy={top?.state !== 'ready'}>
      {rows.length === 0 ? (
        <Text c="dimmed" className={css.around}>
          {top?.state === 'ready' ? 'No files.' : 'Loading…'}
        </Text>
      ) : (
        <div
          role="tree"
          aria-label={label}
          aria-multiselectable={choice ? true : undefined}
          className={css.tree}
          style={{ height: offsets.at(-1) }}
          onKeyDown={onKeyDown}
          onClick={onClick}
          onFocus={onFocus}
        >
          {drawn.map((n) => {
            const row = rows[n]
            return (
              row && (
                <TreeItem
                  key={row.path}
                  row={row}
                  index={n}
                  top={offsets[n] ?? 0}
                  height={height}
                  hasFocus={n === at}
                  ticked={choice && tickedAt(choice, row.path)}
                />
              )
            )
          })}
        </div>
      )}
    </div>
  )
}

/** The closed folders with the same parent. */
const siblings = (rows: readonly TreeRow[], { path, level }: TreeRow): string[] => {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return rows.flatMap((row) =>
    row.level === level && row.node.isFolder && !row.isOpen && row.path.startsWith(folder) ? [row.path] : [],
  )
}
