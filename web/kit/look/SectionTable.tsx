import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Reading } from '../frame/Reading.tsx'
import css from './SectionTable.module.css'

export interface TableColumn<R> {
  /** Column head; on a phone, the label beside the value. '' for buttons. */
  title: string
  cell: (row: R) => ReactNode
  /** Right-aligned, for numbers to compare. */
  align?: 'right'
  /** Width in pixels on a desktop. */
  width?: number
}

interface Props<R> {
  /** Name of the table for screen readers. */
  label: string
  columns: readonly TableColumn<R>[]
  /** Undefined while they are being read. */
  rows: readonly R[] | undefined
  /** Why the rows are not read: a missing permission, or the error. */
  unread?: string
  keyOf: (row: R) => string | number
  /** On a phone: each row as a card with labels, or a table that scrolls sideways. */
  narrow?: 'cards' | 'scroll'
  /** False in a text or dialog: no margin for section edges. */
  edges?: boolean
  /** Text without rows. */
  empty?: ReactNode
  /** Height above which the rows scroll below a sticky head. */
  maxHeight?: number | string
}

/** A simple table in a section. Use `ListTable` for paging, sorting, row pages or menus. */
export function SectionTable<R>({ label, columns, rows, keyOf, narrow = 'cards', edges = true, ...rest }: Props<R>) {
  const { unread, empty, maxHeight } = rest
  if (!rows) return <div className={css.empty}>{unread ?? <Reading />}</div>
  if (empty !== undefined && rows.length === 0) return <div className={css.empty}>{empty}</div>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className={css.scroll} data-narrow={narrow} style={{ maxHeight }} tabIndex={0} aria-label={label}>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: cards lose the role of a table, which screen readers need */}
      <table role="table" className={css.table} data-narrow={narrow} data-edges={edges || undefined} aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, align, width }, n) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their order
                key={n}
                role="columnheader"
                scope="col"
                data-align={align}
                style={{ width }}
              >
                {title || <VisuallyHidden>Actions</VisuallyHidden>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map(({ title, align, cell }, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <td key={n} role="cell" data-align={align} data-label={title || undefined}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </section>
  )
}
