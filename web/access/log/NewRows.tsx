import type { LogRow } from '@innkeeper/contract/access/log'
import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { List } from '../../kit/list/useList.ts'
import { counted } from '../../kit/look/format.ts'
import { chainApi } from './api.ts'
import css from './log.module.css'

const MOST = 1000

/** "12 new rows" since the last load, above the list. The rows load on click only. */
export function NewRows({ list }: { list: List<LogRow> }) {
  const top = list.page === 1 && list.direction !== 'ASC' ? list.rows[0] : undefined
  const { data } = useQuery({
    ...chainApi.newer.query({ ...list.filters, than: top?.id ?? 1 }),
    enabled: top !== undefined && !list.turning,
    placeholderData: keepPreviousData,
  })
  const count = top ? (data?.count ?? 0) : 0
  return (
    <div role="status" className={css.notice}>
      {count > 0 && (
        <Button size="compact-sm" radius="xl" onClick={() => void list.refetch()}>
          {count >= MOST ? '1,000+ new rows' : counted(count, ['new row', 'new rows'])}
        </Button>
      )}
    </div>
  )
}
