import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { EmptyState, ErrorState } from '../frame/emptyStates.tsx'
import { lazyPart } from '../frame/lazyScreen.tsx'
import { CardMenu } from './CardMenu.tsx'
import { useTaste, widthBeside } from './columns.ts'
import { FilterBar } from './FilterBar.tsx'
import { ListFooter } from './ListFooter.tsx'
import css from './ListTable.module.css'
import { ListTools } from './ListTools.tsx'
import { NewRows } from './NewRows.tsx'
import type { ListTableProps, RowsProps } from './Rows.tsx'
import { SkeletonRows } from './SkeletonRows.tsx'
import { listTexts } from './texts.ts'

/** The code of the table loads while the rows are fetched; phones show cards and never load it. */
const Rows = lazyPart<RowsProps<Row>>(
  () => import('./Rows.tsx'),
  ({ shown, dense, bulk }) => (
    <SkeletonRows phone={false} columns={shown} dense={dense} selectable={bulk !== undefined} />
  ),
)
interface Row {
  id: number
}

/** A list with search, filters, rows, counts and bulk actions. */
export function ListTable<R extends { id: number }>(props: ListTableProps<R>) {
  const { name, noun, list, columns, search, filters = [], bulk, file, notice } = props
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  useEffect(() => {
    if (!phone) void Rows.preload()
  }, [phone])
  const place = useRef<HTMLDivElement>(null)
  const taste = useTaste(name, columns, useWidth(place) - widthBeside(props))
  const [picked, setPicked] = useState<readonly number[]>([])
  // only visible rows can be selected: another page clears the selection
  const selected = bulk ? list.rows.filter((row) => picked.includes(row.id)) : []
  const clear = () => setPicked([])
  const nothing = !list.loading && !list.error && list.rows.length === 0

  return (
    <div className={css.list} ref={place}>
      <FilterBar
        list={list}
        search={search}
        filters={filters}
        elsewhere={props.elsewhere}
        right={<ListTools name={name} list={list} columns={columns} taste={taste} file={file} />}
      />
      {notice}
      {list.withheld > 0 && <NewRows count={list.withheld} noun={noun} show={list.showNew} />}
      {list.error && (
        <ErrorState
          title={listTexts().unread}
          error={list.error}
          kept={listTexts().filtersKept}
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

/** The width of an element, known before it is drawn. */
function useWidth(place: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    measure()
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    return () => resized.disconnect()
  }, [place])
  return width
}

/** Widens the row type: the table reads only the id and passes each row to the functions of the screen. */
const asRows = <R extends Row>(props: RowsProps<R>) => props as unknown as RowsProps<Row>

function Cards<R extends { id: number }>({ list, card, open, menu, label }: ListTableProps<R>) {
  const shown = (row: R) => {
    if (open) return <Link to={open(row)}>{card(row)}</Link>
    if (!menu) return card(row)
    return (
      <div className={css.acting}>
        <div>{card(row)}</div>
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
  const words = listTexts()
  return (
    <EmptyState
      title={words.noMatch(noun[0])}
      tag={empty.tag}
      action={
        <Button variant="default" onClick={() => list.setFilters({})}>
          {words.clearAll}
        </Button>
      }
    >
      {typed ? words.nothingFor(typed) : words.emptyPage}
    </EmptyState>
  )
}
