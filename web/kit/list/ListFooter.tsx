import { ActionIcon, Button, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { count } from '../look/format.ts'
import css from './ListTable.module.css'
import { listTexts } from './texts.ts'

interface Pages {
  page: number
  size: number
  pages: number
  total: number
  more: boolean
  loading: boolean
  rows: readonly unknown[]
  setPage: (page: number) => void
}
interface Props {
  list: Pages
  noun: readonly [one: string, many: string]
  selected: number
  clear: () => void
  /** Buttons of the bulk actions. */
  children?: ReactNode
}

/** Row count and pages: "1–50 of 10,000+ entries". With selected rows, the bar of bulk actions. */
export const ListFooter = ({ list, noun, selected, clear, children }: Props) => (
  <footer className={css.footer} data-selected={selected > 0 || undefined}>
    {selected > 0 ? (
      <div className={css.bulk} role="toolbar" aria-label={listTexts().selectedRows}>
        <Text fw={500} mr={6} className="num">
          {listTexts().selected(count(selected))}
        </Text>
        {children}
        <Button size="xs" variant="subtle" color="secondary" onClick={clear}>
          {listTexts().unselect}
        </Button>
      </div>
    ) : (
      <Text c="dimmed" className="num" role="status">
        {list.loading ? listTexts().loading : range(list, noun)}
      </Text>
    )}
    <Pager list={list} />
  </footer>
)

function range({ page, size, rows, total, more }: Pages, [one, many]: Props['noun']): string {
  const from = (page - 1) * size + 1
  // past the counted rows, only the current page is known
  const known = Math.max(total, from + rows.length - 1)
  const to = from + rows.length - 1
  return listTexts().range(count(from), count(to), `${count(known)}${more ? '+' : ''}`, known === 1 ? one : many)
}

function Pager({ list: { page, pages, more, rows, size, setPage } }: { list: Pages }) {
  const words = listTexts()
  const last = more ? rows.length < size : page >= pages
  return (
    <nav aria-label={words.pages} style={{ display: 'flex', alignItems: 'center', gap: 2 }}>
      <ActionIcon aria-label={words.previous} disabled={page <= 1} onClick={() => setPage(page - 1)}>
        <IconChevronLeft size={16} />
      </ActionIcon>
      <Text c="dimmed" className="num" px={4} visibleFrom="sm">
        {words.page(count(page), `${count(Math.max(page, pages))}${more ? '+' : ''}`)}
      </Text>
      <ActionIcon aria-label={words.next} disabled={last} onClick={() => setPage(page + 1)}>
        <IconChevronRight size={16} />
      </ActionIcon>
    </nav>
  )
}
