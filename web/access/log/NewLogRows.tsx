import type { LogRow } from '@innkeeper/contract/access/log'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { NewRows } from '../../kit/list/NewRows.tsx'
import type { List } from '../../kit/list/useList.ts'
import { chainApi } from './api.ts'

const MOST = 1000

/** Counts the rows that the log has got since the list was loaded, by one call that finds no rows. */
export function NewLogRows({ list }: { list: List<LogRow> }) {
  const top = list.page === 1 && list.direction !== 'ASC' ? list.rows[0] : undefined
  const { data } = useQuery({
    ...chainApi.newer.query({ ...list.filters, than: top?.id ?? 1 }),
    enabled: top !== undefined && !list.turning,
    placeholderData: keepPreviousData,
  })
  return (
    <NewRows count={top ? (data?.count ?? 0) : 0} most={MOST} noun={['row', 'rows']} show={() => void list.refetch()} />
  )
}
