import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { leavesApi } from './api.ts'
import { LeaveCard, useColumns } from './columns.tsx'
import { useLeaveFilters } from './filters.ts'
import { LeaveDrawer } from './requests/LeaveDrawer.tsx'
import { useLeaveTexts } from './texts.ts'
import { dayWords } from './words.ts'

/** Finished leaves: rejected, cancelled, or approved and past. */
export default function ArchiveScreen() {
  const words = useLeaveTexts()
  const columns = useColumns()
  const list = useList(leavesApi.archive, {
    filters: ['search', 'status', 'departmentId', 'typeId', 'from', 'to', 'usersIds'],
  })
  const filters = useLeaveFilters(['approved', 'rejected', 'cancelled'])
  return (
    <Screen scroll={false} count={listCount(list)}>
      <ListTable
        name="leave-archive"
        noun={[words.one, words.many]}
        list={list}
        columns={columns}
        card={(leave) => <LeaveCard leave={leave} />}
        label={({ userName, startDate }) => words.from(userName, dayWords(startDate))}
        search={{ key: 'search', placeholder: words.name }}
        filters={filters}
        empty={{
          title: words.nothingOver,
          text: words.overText,
          tag: 'LV',
        }}
      />
      <LeaveDrawer />
    </Screen>
  )
}
