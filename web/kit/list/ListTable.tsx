import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { EmptyState, ErrorState } from '../frame/emptyStates.tsx'
import { lazyPart } from '../frame/lazyScreen.tsx'
import { CardMenu } from './CardMenu.tsx'
import { type Column, useTaste } from './columns.ts'
import { FilterBar, type FilterChoice } from './FilterBar.tsx'
import { ListFooter } from './ListFooter.tsx'
import css from './ListTable.module.css'
import { ListTools } from './ListTools.tsx'
import type { RowsProps } from './Rows.tsx'
import { SkeletonRows } from './SkeletonRows.tsx'
import type { List } from './useList.ts'

export interface ListTableProps<R extends { id: number }> {
  /** What columns, density and views are remembered by. */
  name: string
  noun: readonly [one: string, many: string]
  list: List<R>
  columns: readonly Column<R>[]
  /** One row on a phone: two lines. */
  card: (row: R) => ReactNode
  /** What a row is called, for those who hear the table. */
  label: (row: R) => string
  /** The row's own page. */
  open?: (row: R) => string
  /** Items of the row's menu: MenuAction. On a phone they are there where a row has no page of its own. */
  menu?: (row: R) => ReactNode
  /** Acts on the selected rows: ActButton of size xs. Without it rows cannot be selected. */
  bulk?: (rows: R[], clear: () => void) => ReactNode
  search?: { key: string; placeholder: string }
  filters?: readonly FilterChoice[]
  /** The address of all that the filters let through as one file, where the server writes it; else it is put together here. */
  file?: () => Promise<string>
  /** Above the rows: what has come meanwhile. */
  notice?: ReactNode
  /** Said when there is nothing at all; with filters set the table says so itself. */
  empty: { title: string; text: ReactNode; action?: ReactNode; tag: string }
}

/** The table's code comes while the rows are fetched; a phone shows cards and never fetches it. */
const Rows = lazyPart<RowsProps<Row>>(
  () => import('./Rows.tsx'),
  () => null,
)
interface Row {
  id: number
}

/** Search, filters, rows, counts and bulk acts of one list. */
export function ListTable<R extends { id: number }>(props: ListTableProps<R>) {
  const { name, noun, list, columns, search, filters = [], bulk, file, notice } = props
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  useEffect(() => {
    if (!phone) void Rows.preload()
  }, [phone])
  const taste = useTaste(name, columns)
  const [picked, setPicked] = useState<readonly number[]>([])
  // a selection holds for what is on the screen: turning the page drops it
  const selected = bulk ? list.rows.filter((row) => picked.includes(row.id)) : []
  const clear = () => setPicked([])
  const nothing = !list.loading && !list.error && list.rows.length === 0

  return (
    <div className={css.list}>
      <FilterBar
        list={list}
        search={search}
        filters={filters}
        right={<ListTools name={name} list={list} columns={columns} taste={taste} file={file} />}
      />
      {notice}
      {list.error && (
        <ErrorState
          title="The list could not be loaded"
          error={list.error}
          kept="Your filters are kept."
          onRetry={() => void list.refetch()}
        />
      )}
      {list.loading && !list.error && (
        <SkeletonRows phone={phone} columns={taste.shown} dense={taste.dense} selectable={bulk !== undefined} />
      )}
      {nothing && <Nothing {...props} />}
      {list.rows.length > 0 && !phone && <Rows {...asRows({ ...props, ...taste, selected, setPicked })} />}
      {list.rows.length > 0 && phone && <Cards {...props} />}
      {!list.error && !nothing && (
        <ListFooter list={list} noun={noun} selected={selected.length} clear={clear}>
          {bulk?.(selected, clear)}
        </ListFooter>
      )}
    </div>
  )
}

/** The table hands each row back to the screen's own functions and reads nothing of it but the id. */
const asRows = <R extends Row>(props: RowsProps<R>) => props as unknown as RowsProps<Row>

function Cards<R extends { id: number }>({ list, card, open, menu, label }: ListTableProps<R>) {
  const shown = (row: R) => {
    if (open) return <Link to={open(row)}>{card(row)}</Link>
    if (!menu) return card(row)
    return (
      <div className={css.acting}>
        {card(row)}
        <CardMenu name={label(row)}>{menu(row)}</CardMenu>
      </div>
    )
  }
  return (
    <ul className={css.cards}>
      {list.rows.map((row) => (
        <li key={row.id}>{shown(row)}</li>
      ))}
    </ul>
  )
}

function Nothing<R extends { id: number }>({ list, noun, empty, search }: ListTableProps<R>) {
  if (Object.keys(list.filters).length === 0 && list.page === 1)
    return (
      <EmptyState title={empty.title} tag={empty.tag} action={empty.action}>
        {empty.text}
      </EmptyState>
    )
  const typed = search && list.filters[search.key]?.join(',')
  return (
    <EmptyState
      title={`No ${noun[0]} matches`}
      tag={empty.tag}
      action={
        <Button variant="default" onClick={() => list.setFilters({})}>
          Clear search and filters
        </Button>
      }
    >
      {typed ? `Nothing is found for “${typed}” with these filters.` : 'Nothing lies on this page with these filters.'}
    </EmptyState>
  )
}
