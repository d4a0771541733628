import { IconArrowsMove, IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { memo } from 'react'
import { counted } from '../../../kit/look/format.ts'
import css from '../dossiers.module.css'
import type { ChartRow } from './chartRows.ts'

/** Height of a row of the chart. */
export const ROW = 34

interface RowProps {
  row: ChartRow
  top: number
  /** Whether Tab focuses this row. */
  isNext: boolean
  /** Whether a row is dragged over this one. */
  isOver: boolean
  locked: boolean
}

/**
 * While the chart scrolls, only rows that come into view are rendered. They are plain elements, because a fast scroll
 * renders dozens of them in one frame, and a component of Mantine takes several times as long.
 */
export const RowView = memo(({ row, top, isNext, isOver, locked }: RowProps) => (
  <div
    role="treeitem"
    aria-level={row.level}
    aria-expanded={row.person ? undefined : row.isOpen}
    tabIndex={isNext ? 0 : -1}
    data-key={row.key}
    data-team={row.person ? undefined : true}
    data-over={isOver || undefined}
    className={css.row}
    style={{ top, height: ROW, paddingLeft: `calc(var(--ink-gutter) + ${(row.level - 1) * 22}px)` }}
    draggable={!locked}
  >
    <RowText row={row} />
    {!locked && (
      <button
        type="button"
        tabIndex={-1}
        data-move
        aria-label={`Move ${row.person?.name ?? row.team.name}`}
        className={`thumb ${css.move}`}
      >
        <IconArrowsMove size={14} aria-hidden />
      </button>
    )}
  </div>
))
RowView.displayName = 'RowView'

function RowText({ row }: { row: ChartRow }) {
  if (row.person) {
    const { name, positionName, isAdditional } = row.person
    return (
      <>
        <span className={css.name}>{name}</span>
        <span className={`${css.note} ${css.end}`}>
          {[positionName, isAdditional && 'additional'].filter(Boolean).join(', ')}
        </span>
      </>
    )
  }
  const Icon = row.isOpen ? IconChevronDown : IconChevronRight
  return (
    <>
      <Icon size={14} aria-hidden />
      <span className={css.name}>{row.team.name}</span>
      <span className={css.note}>{row.team.manager?.name ?? 'no manager'}</span>
      <span className={`num ${css.note} ${css.end}`}>{counted(row.team.people.length, ['person', 'people'])}</span>
    </>
  )
}
