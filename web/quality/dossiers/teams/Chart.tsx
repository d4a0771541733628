import type { ChartTeam } from '@innkeeper/contract/quality/dossiers/shapes'
import { Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type DragEvent, type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useWindow } from '../../../kit/list/useWindow.ts'
import css from '../dossiers.module.css'
import { type ChartRow, rowByKey, rowsOf } from './chartRows.ts'
import { ROW, RowView } from './RowView.tsx'

const DRAGGED = 'text/x-chart-row'

interface Props {
  teams: readonly ChartTeam[]
  /** Rows cannot be moved. */
  locked: boolean
  /** `to`: the team that the row was dropped on. */
  onMove: (row: ChartRow, to?: number) => void
}

/**
 * Teams as a tree of which only the visible rows are drawn. Arrow keys, Home and End move, left and right close and open,
 * Enter opens the page, M moves.
 */
export function Chart({ teams, locked, onMove }: Props) {
  const navigate = useNavigate()
  const scroller = useRef<HTMLDivElement>(null)
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const [focused, setFocused] = useState('')
  const [over, setOver] = useState<number>()
  const rows = useMemo(() => rowsOf(teams, closed), [teams, closed])
  const heights = useMemo(() => Array<number>(rows.length).fill(ROW), [rows.length])
  const { offsets, first, last } = useWindow(scroller, heights, 0)
  const at = Math.max(
    0,
    rows.findIndex(({ key }) => key === focused),
  )
  // the focused row stays rendered, so that keys continue from it
  const inView = Array.from({ length: Math.max(0, Math.min(last, rows.length - 1) - first + 1) }, (_, n) => first + n)
  const shown = at < first || at > last ? [at, ...inView] : inView
  const rowAt = (target: EventTarget) => {
    const key = target instanceof Element ? target.closest<HTMLElement>('[data-key]')?.dataset.key : undefined
    return rows.find((row) => row.key === key)
  }
  const turn = (id: number) => setClosed((now) => (now.has(id) ? now.difference(new Set([id])) : new Set([...now, id])))
  const go = (n: number) => {
    const row = rows[n]
    if (!row) return
    setFocused(row.key)
    const top = offsets[n] ?? 0
    const box = scroller.current
    if (box && (top < box.scrollTop || top + ROW > box.scrollTop + box.clientHeight)) box.scrollTop = top - ROW
    requestAnimationFrame(() => box?.querySelector<HTMLElement>(`[data-key="${row.key}"]`)?.focus())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const to = rowByKey(rows, at, event.key)
    if (to !== undefined) go(to)
    else if (!row.person && (event.key === 'ArrowRight') !== row.isOpen && /^Arrow(Left|Right)$/.test(event.key))
      turn(row.team.id)
    else if (event.key === 'Enter') void navigate({ to: pathOf(row) })
    else if (event.key.toLowerCase() === 'm' && !locked) onMove(row)
    else return
    event.preventDefault()
  }
  const drop = (event: DragEvent, team: number) => {
    event.preventDefault()
    setOver(undefined)
    const row = rows.find(({ key }) => key === event.dataTransfer.getData(DRAGGED))
    if (row && (row.person ? row.team.id : row.team.parentId) !== team && (row.person || row.team.id !== team))
      onMove(row, team)
  }
  if (rows.length === 0)
    return (
      <Text c="dimmed" px="var(--ink-gutter)">
        No team yet.
      </Text>
    )
  return (
    <div ref={scroller} className={css.chart}>
      <div
        role="tree"
        aria-label="Organisation chart"
        className={css.rows}
        style={{ height: offsets.at(-1) }}
        onKeyDown={onKeyDown}
        onClick={({ target }) => {
          const row = rowAt(target)
          if (row && target instanceof Element && target.closest('[data-move]')) onMove(row)
          else if (row && !row.person) turn(row.team.id)
        }}
        onDoubleClick={({ target }) => {
          const row = rowAt(target)
          if (row) void navigate({ to: pathOf(row) })
        }}
        onDragStart={({ target, dataTransfer }) => dataTransfer.setData(DRAGGED, rowAt(target)?.key ?? '')}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(rowAt(event.target)?.team.id)
        }}
        onDragLeave={() => setOver(undefined)}
        onDrop={(event) => {
          const row = rowAt(event.target)
          if (row) drop(event, row.team.id)
        }}
        onFocus={({ target }) => setFocused(rowAt(target)?.key ?? '')}
      >
        {shown.map((n) => {
          const row = rows[n]
          return (
            row && (
              <RowView
                key={row.key}
                row={row}
                top={offsets[n] ?? 0}
                isNext={n === at}
                isOver={!row.person && over === row.team.id}
                locked={locked}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

const pathOf = ({ team, person }: ChartRow) => (person ? `/dossiers/${person.userId}` : `/dossiers/teams/${team.id}`)
