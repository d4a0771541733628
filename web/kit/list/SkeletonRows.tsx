import { kitWords } from '../look/texts.ts'
import type { Column } from './columns.ts'
import css from './ListTable.module.css'

interface Props<R> {
  columns: readonly Column<R>[]
  phone: boolean
  dense: boolean
  selectable: boolean
}

/** Skeleton of a list: real headings, rows of the same height, bars of varying width. */
export function SkeletonRows<R>({ columns, phone, dense, selectable }: Props<R>) {
  const widths = columns.map((column) => (column.width ? `${column.width}px` : 'minmax(0, 1fr)'))
  const style = { gridTemplateColumns: phone ? '1fr 84px' : [...(selectable ? ['44px'] : []), ...widths].join(' ') }
  const cells = phone ? columns.slice(0, 2) : columns
  return (
    <div role="status" aria-busy aria-label={kitWords().loading} style={{ flex: 1, overflow: 'hidden' }}>
      {!phone && (
        <div className={css.row} style={style} data-head>
          {selectable && <span />}
          {columns.map((column) => (
            <span key={column.key}>{column.title}</span>
          ))}
        </div>
      )}
      {Array.from({ length: 14 }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no other name
        <div className={css.row} style={style} key={n} data-dense={dense || undefined}>
          {selectable && !phone && <span />}
          {cells.map((column, i) => (
            <div key={column.key}>
              <div className={css.bar} style={{ width: `${(i === 0 ? 28 : 44) + ((n * 29 + i * 17) % 40)}%` }} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
