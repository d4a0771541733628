import { Kbd, Menu, ScrollArea, VisuallyHidden } from '@mantine/core'
import { IconChevronUp, IconDots, IconLayoutSidebarRight, IconSelector } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type MouseEvent, memo, type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { kitWords } from '../look/texts.ts'
import { useNow } from '../look/useNow.ts'
import { type Column, widthBeside, widthOf } from './columns.ts'
import type { FilterChoice } from './filterChoice.ts'
import { RowPath } from './NameCell.tsx'
import { Peek } from './Peek.tsx'
import css from './Rows.module.css'
import { Tick } from './Tick.tsx'
import { listTexts } from './texts.ts'
import type { List } from './useList.ts'
import { useRowKeys } from './useRowKeys.ts'

export interface ListTableProps<R extends { id: number }> {
  /** Key under which the browser stores columns, density and views. */
  name: string
  noun: readonly [one: string, many: string]
  list: List<R>
  columns: readonly Column<R>[]
  /** Two lines that show a row on a phone. */
  card: (row: R) => ReactNode
  /** Name of a row for screen readers. */
  label: (row: R) => string
  /** Path of the row's own page. */
  open?: (row: R) => string
  /** Items of the row's menu (MenuAction). On a phone the menu exists only for rows without a page. */
  menu?: (row: R) => ReactNode
  /** Actions on the selected rows: ActButton of size xs. Without `bulk`, rows cannot be selected. */
  bulk?: (rows: R[], clear: () => void) => ReactNode
  /** What a peek at a row shows below its columns. */
  peek?: (row: R) => ReactNode
  search?: { key: string; placeholder: string }
  filters?: readonly FilterChoice[]
  /** Filters of the list that the screen shows in another way. */
  elsewhere?: readonly string[]
  /** Address of the server's file with all filtered rows; without it the browser builds the CSV file. */
  file?: () => Promise<string>
  /** Notice above the rows, such as new rows since the last load. */
  notice?: ReactNode
  /** Text for a list without any rows. With filters set, the table shows its own text. */
  empty: { title: string; text: ReactNode; action?: ReactNode; tag: string }
}

export type RowsProps<R extends { id: number }> = ListTableProps<R> & {
  shown: readonly Column<R>[]
  dense: boolean
  selected: R[]
  setPicked: (ids: number[]) => void
}

const MINUTE = 60_000

/** Headings and rows of a list. Re-renders only changed rows; count, paging and selection bar are outside. */
export default function Rows<R extends { id: number }>(props: RowsProps<R>) {
  const { list, shown, dense, label, open, menu, bulk, selected } = props
  // deferred, so that the click on another page responds at once
  const rows = useDeferredValue(list.rows)
  const columns = useDeferredValue(shown)
  const now = useNow(MINUTE)
  const [opened, setOpened] = useState<{ id: number; now: boolean }>()
  const { table, peeked, peek } = useRowKeys(() => selected.length && props.setPicked([]))
  const acts = useActs({ ...props, setOpened, peekAt: peek })
  const peekedRow = rows.find(({ id }) => id === peeked)
  const picked = new Set(selected.map(({ id }) => id))
  const all = rows.length > 0 && rows.every(({ id }) => picked.has(id))
  return (
    <div className={css.place}>
      <ScrollArea
        className={css.scroller}
        classNames={{ viewport: css.viewport }}
        scrollbarSize={8}
        style={{ opacity: list.turning ? 0.6 : undefined }}
      >
        <table
          ref={table}
          data-rows=""
          className={css.table}
          style={{ minWidth: widthOf(columns) + widthBeside(props) }}
          data-dense={dense || undefined}
          data-opens={open ? true : undefined}
        >
          <thead>
            <tr>
              {bulk && (
                <th className={css.tick}>
                  <Tick
                    aria-label={listTexts().selectAll}
                    checked={all}
                    some={!all && picked.size > 0}
                    onChange={() => acts.pickAll(!all)}
                  />
                </th>
              )}
              {columns.map((column) => (
                <Heading key={column.key} column={column} list={list} />
              ))}
              {menu && (
                <th className={css.acts}>
                  <VisuallyHidden>{kitWords().actions}</VisuallyHidden>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Line
                key={row.id}
                row={row}
                // the table passes each row back to the functions of the screen and needs only its id
                columns={columns as unknown as readonly Column<{ id: number }>[]}
                acts={acts}
                name={menu || bulk ? label(row) : ''}
                path={open?.(row)}
                picked={bulk && picked.has(row.id)}
                isPeeked={peeked === row.id}
                hasMenu={menu !== undefined}
                menu={opened?.id === row.id ? menu?.(row) : undefined}
                isMenuOpen={opened?.id === row.id && opened.now}
                now={now}
              />
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {peekedRow && (
        <Peek
          row={peekedRow}
          name={label(peekedRow)}
          columns={props.columns}
          path={open?.(peekedRow)}
          more={props.peek?.(peekedRow)}
          close={() => peek(undefined)}
        />
      )}
    </div>
  )
}

interface Acts {
  click: (id: number, event: MouseEvent) => void
  pick: (id: number, event: { shiftKey: boolean }) => void
  pickAll: (all: boolean) => void
  open: (id: number, now: boolean) => void
  peek: (id: number) => void
}

/** Callbacks of the rows, with stable identity; each call reads the current state of the table. */
function useActs<R extends { id: number }>(
  props: RowsProps<R> & {
    setOpened: (opened: { id: number; now: boolean }) => void
    peekAt: (id: number) => void
  },
): Acts {
  const navigate = useNavigate()
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const lastPicked = useRef<number>(undefined)
  return useMemo(
    () => ({
      click: (id, event) => {
        const { open, list } = latest.current
        const row = list.rows.find((one) => one.id === id)
        const control = event.target instanceof Element && event.target.closest('a, button, input, label, [role=menu]')
        if (open && row && !control && !getSelection()?.toString()) void navigate({ to: open(row) })
      },
      pick: (id, { shiftKey }) => {
        const { list, selected, setPicked } = latest.current
        const ids = list.rows.map((row) => row.id)
        const picked = new Set(selected.map((row) => row.id))
        const from = shiftKey && lastPicked.current !== undefined ? ids.indexOf(lastPicked.current) : -1
        const at = ids.indexOf(id)
        const span = from < 0 ? [id] : ids.slice(Math.min(from, at), Math.max(from, at) + 1)
        const puts = !picked.has(id)
        for (const one of span) puts ? picked.add(one) : picked.delete(one)
        lastPicked.current = id
        setPicked([...picked])
      },
      pickAll: (all) => latest.current.setPicked(all ? latest.current.list.rows.map(({ id }) => id) : []),
      open: (id, now) => latest.current.setOpened({ id, now }),
      peek: (id) => latest.current.peekAt(id),
    }),
    [navigate],
  )
}

function Heading<R>({ column, list }: { column: Column<R>; list: List<unknown> }) {
  const { title, sort, width, align } = column
  const style = width ? { width } : undefined
  if (!sort)
    return (
      <th style={style} data-align={align}>
        <span className={css.title} title={title}>
          {title}
        </span>
      </th>
    )
  const isSorted = sort === list.sort
  const isUp = list.direction === 'ASC'
  return (
    <th style={style} data-align={align} aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : undefined}>
      <button
        type="button"
        className={css.sort}
        // an unsorted column starts ascending
        onClick={() => list.setSort(sort, isSorted && isUp ? 'DESC' : 'ASC')}
      >
        <span className={css.title} title={title}>
          {title}
        </span>
        {isSorted ? (
          <IconChevronUp size={13} aria-hidden data-down={isUp ? undefined : true} />
        ) : (
          <IconSelector size={13} aria-hidden />
        )}
      </button>
    </th>
  )
}

interface LineProps {
  row: { id: number }
  columns: readonly Column<{ id: number }>[]
  acts: Acts
  name: string
  /** Path of the row's own page. */
  path: string | undefined
  /** Whether the row is selected; undefined where rows cannot be selected. */
  picked: boolean | undefined
  isPeeked: boolean
  hasMenu: boolean
  /** Items of the row menu that was opened last. */
  menu: ReactNode
  isMenuOpen: boolean
  /** Current time, for cells that show an age. */
  now: Date
}

const Line = memo(function Line({
  row,
  columns,
  acts,
  name,
  path,
  picked,
  isPeeked,
  hasMenu,
  menu,
  isMenuOpen,
}: LineProps) {
  return (
    <tr
      data-row={row.id}
      data-selected={picked || undefined}
      data-peeked={isPeeked || undefined}
      onClick={(event) => acts.click(row.id, event)}
    >
      {picked !== undefined && (
        <td className={css.tick}>
          <Tick aria-label={listTexts().select(name)} checked={picked} onClick={(event) => acts.pick(row.id, event)} />
        </td>
      )}
      {columns.map((column, n) => (
        <td key={column.key} data-align={column.align} data-shares={column.width ? undefined : true}>
          {n === 0 ? <RowPath value={path}>{column.cell(row)}</RowPath> : inTwoLines(column.cell(row))}
        </td>
      ))}
      {hasMenu && (
        <td className={css.acts}>
          <RowMenu
            name={name}
            opened={isMenuOpen}
            setOpened={(now) => acts.open(row.id, now)}
            peek={() => acts.peek(row.id)}
          >
            {menu}
          </RowMenu>
        </td>
      )}
    </tr>
  )
})

/** Names that customers and other systems give may be long; the peek shows them whole. */
const inTwoLines = (cell: ReactNode) =>
  typeof cell === 'string' && cell.length > SHORT ? <span className={css.words}>{cell}</span> : cell
/** Texts up to this length need no second line. */
const SHORT = 12

interface RowMenuProps {
  name: string
  opened: boolean
  setOpened: (now: boolean) => void
  peek: () => void
  children: ReactNode
}

/** Menu of a row, mounted when it is first opened. The button stays mounted and keeps the focus. */
function RowMenu({ name, opened, setOpened, peek, children }: RowMenuProps) {
  const title = kitWords().actionsFor(name)
  return (
    <div className={css.menuPlace}>
      <button
        type="button"
        className={css.menu}
        aria-label={title}
        aria-haspopup="menu"
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        <IconDots size={16} />
      </button>
      {children && (
        <Menu width={204} opened={opened} onChange={setOpened}>
          <Menu.Target>
            <span aria-hidden className={css.anchor} data-opened={opened || undefined}>
              {title}
            </span>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconLayoutSidebarRight size={15} />}
              rightSection={<Kbd aria-hidden>Space</Kbd>}
              onClick={peek}
            >
              {listTexts().peek}
            </Menu.Item>
            {children}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}
