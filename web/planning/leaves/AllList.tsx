import { ListTable } from '../../kit/list/ListTable.tsx'
import { useList } from '../../kit/list/useList.ts'
import { leavesApi } from './api.ts'
import { columns, LeaveCard } from './columns.tsx'
import { useLeaveFilters } from './filters.ts'

/** Leaves of all people. */
export function AllList() {
  const list = useList(leavesApi.requests, {
    filters: ['search', 'status', 'departmentId', 'typeId', 'from', 'to', 'date'],
  })
  const filters = useLeaveFilters()
  return (
    <ListTable
      name="leaves"
      noun={['leave', 'leaves']}
      list={list}
      columns={columns}
      card={(leave) => <LeaveCard leave={leave} />}
      label={({ userName, startDate }) => `${userName} from ${startDate}`}
      search={{ key: 'search', placeholder: 'Name' }}
      filters={filters}
      empty={{ title: 'No leave yet', text: 'All requests are listed here, decided or not.', tag: 'LV' }}
    />
  )
}
