import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { useState } from 'react'
import { type BulkAct, BulkModal } from '../../kit/list/BulkModal.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useList } from '../../kit/list/useList.ts'
import { leavesApi } from './api.ts'
import { columns, LeaveCard } from './columns.tsx'
import { useLeaveFilters } from './filters.ts'
import { WaitingActs, WaitingBulk } from './WaitingActs.tsx'

const kinds = {
  key: 'kind',
  label: 'Kind',
  single: true,
  options: [
    { value: 'request', label: 'Requests' },
    { value: 'cancellation', label: 'Cancellations' },
  ],
}
const whose = { key: 'mine', label: 'Whose', single: true, options: [{ value: 'true', label: 'Mine to decide' }] }
const shown = columns.filter(({ key }) => key !== 'decided')

/** Leaves that wait for a decision, the oldest request first. */
export function WaitingList() {
  const list = useList(leavesApi.pending, {
    filters: ['search', 'mine', 'kind', 'departmentId', 'typeId', 'from', 'to'],
  })
  const filters = useLeaveFilters([])
  const [bulk, setBulk] = useState<BulkAct<LeaveRequest>>()
  return (
    <>
      <ListTable
        name="waiting-leaves"
        noun={['decision', 'decisions']}
        list={list}
        columns={shown}
        card={(leave) => <LeaveCard leave={leave} />}
        label={({ userName, startDate }) => `${userName} from ${startDate}`}
        menu={(leave) => <WaitingActs leave={leave} />}
        bulk={(rows) => <WaitingBulk rows={rows} ask={setBulk} />}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[whose, kinds, ...filters]}
        empty={{
          title: 'Nothing waits',
          text: 'Requests and cancellations are listed here until somebody decides.',
          tag: 'LV',
        }}
      />
      {bulk && <BulkModal {...bulk} onClose={() => setBulk(undefined)} />}
    </>
  )
}
