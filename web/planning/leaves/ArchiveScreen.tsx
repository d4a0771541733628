import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { leavesApi } from './api.ts'
import { columns, LeaveCard } from './columns.tsx'
import { useLeaveFilters } from './filters.ts'
import { LeaveDrawer } from './requests/LeaveDrawer.tsx'

/** Finished leaves: rejected, cancelled, or approved and past. */
export default function ArchiveScreen() {
  const list = useList(leavesApi.archive, {
    filters: ['search', 'status', 'departmentId', 'typeId', 'from', 'to', 'usersIds'],
  })
  const filters = useLeaveFilters(['approved', 'rejected', 'cancelled'])
  return (
    <Screen scroll={false} count={listCount(list)}>
      <ListTable
        name="leave-archive"
        noun={['leave', 'leaves']}
        list={list}
        columns={columns}
        card={(leave) => <LeaveCard leave={leave} />}
        label={({ userName, startDate }) => `${userName} from ${startDate}`}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={filters}
        empty={{
          title: 'Nothing is over yet',
          text: 'Leaves come here when they are past, rejected or cancelled.',
          tag: 'LV',
        }}
      />
      <LeaveDrawer />
    </Screen>
  )
}
