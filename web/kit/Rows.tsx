import { ActionIcon, Menu, VisuallyHidden } from '@mantine/core'
import { IconChevronUp, IconDots, IconSelector } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { DataTable, type DataTableColumn, type DataTableSortStatus } from 'mantine-datatable'
import type { MouseEvent, ReactNode } from 'react'
import type { Column } from './columns.ts'
import type { ListTableProps } from './ListTable.tsx'
import css from './Rows.module.css'

export type RowsProps<R extends { id: number }> = ListTableProps<R> & {
  shown: readonly Column<R>[]
  dense: boolean
  selected: R[]
  setPicked: (ids: number[]) => void
}

/** mantine-datatable draws headings and rows; count, paging and selection bar are ours, as totals may be bounded. */
export default function Rows<R extends { id: number }>({
  list,
  shown,
  dense,
  label,
  open,
  menu,
  bulk,
  selected,
  setPicked,
}: RowsProps<R>) {
  const navigate = useNavigate()
  const columns = shown.map(
    (column): DataTableColumn<R> => ({
      accessor: column.key,
      title: column.title,
      width: column.width,
      textAlign: column.align,
      sortable: column.sort !== undefined,
      render: column.cell,
    }),
  )
  if (menu)
    columns.push({
      accessor: ':menu',
      title: <VisuallyHidden>Actions</VisuallyHidden>,
      width: 46,
      textAlign: 'right',
      render: (row) => <RowMenu name={label(row)}>{menu(row)}</RowMenu>,
    })
  const sorted = shown.find((column) => column.sort !== undefined && column.sort === list.sort)
  const sortStatus: DataTableSortStatus<R> = {
    columnAccessor: sorted?.key ?? '',
    // what is not sorted yet begins upwards
    direction: sorted && list.direction !== 'ASC' ? 'desc' : 'asc',
  }
  const onSort = ({ columnAccessor, direction }: DataTableSortStatus<R>) => {
    const column = shown.find((one) => one.key === columnAccessor)
    list.setSort(column?.sort, direction === 'asc' ? 'ASC' : 'DESC')
  }
  const onRow = ({ record, event }: { record: R; event: MouseEvent }) => {
    const control = event.target instanceof Element && event.target.closest('a, button, input, label, [role=menu]')
    if (open && !control && !getSelection()?.toString()) void navigate({ to: open(record) })
  }
  const selection = bulk && {
    selectedRecords: selected,
    onSelectedRecordsChange: (rows: R[]) => setPicked(rows.map((row) => row.id)),
    selectionColumnStyle: { width: 44 },
    selectionCheckboxProps: { size: 'xs', radius: 'xs' },
    getRecordSelectionCheckboxProps: (row: R) => ({ 'aria-label': `Select ${label(row)}` }),
    allRecordsSelectionCheckboxProps: { 'aria-label': 'Select all on this page', size: 'xs', radius: 'xs' },
  }
  return (
    <DataTable<R>
      className={css.table}
      style={{ flex: 1, minHeight: 0, opacity: list.turning ? 0.6 : undefined }}
      height="100%"
      columns={columns}
      records={list.rows}
      idAccessor="id"
      highlightOnHover
      verticalAlign="center"
      horizontalSpacing={10}
      rowClassName={dense ? css.dense : undefined}
      onRowClick={open ? onRow : undefined}
      sortStatus={sortStatus}
      onSortStatusChange={onSort}
      sortIcons={{ sorted: <IconChevronUp size={13} />, unsorted: <IconSelector size={13} opacity={0.55} /> }}
      scrollAreaProps={{ scrollbarSize: 8 }}
      noRecordsText=""
      {...selection}
    />
  )
}

const RowMenu = ({ name, children }: { name: string; children: ReactNode }) => (
  <Menu width={204}>
    <Menu.Target>
      <ActionIcon className={css.menu} aria-label={`Actions for ${name}`}>
        <IconDots size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
)
