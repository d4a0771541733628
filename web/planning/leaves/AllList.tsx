import { ListTable } from '../../kit/list/ListTable.tsx'
import { useList } from '../../kit/list/useList.ts'
import { leavesApi } from './api.ts'
import { LeaveCard, useColumns } from './columns.tsx'
import { useLeaveFilters } from './filters.ts'
import { useLeaveTexts } from './texts.ts'
import { dayWords } from './words.ts'

/** Leaves of all people. */
export function AllList() {
  const words = useLeaveTexts()
  const columns = useColumns()
  const list = useList(leavesApi.requests, {
    filters: ['search', 'status', 'departmentId', 'typeId', 'from', 'to', 'date'],
  })
  const filters = useLeaveFilters()
  return (
    <ListTable
      name="leaves"
      noun={[words.one, words.many]}
      list={list}
      columns={columns}
      card={(leave) => <LeaveCard leave={leave} />}
      label={({ userName, startDate }) => words.from(userName, dayWords(startDate))}
      search={{ key: 'search', placeholder: words.name }}
      filters={filters}
      empty={{ title: words.emptyTitle, text: words.allEmpty, tag: 'LV' }}
    />
  )
}
