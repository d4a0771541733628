import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { useMemo, useState } from 'react'
import { type BulkAct, BulkModal } from '../../kit/list/BulkModal.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useList } from '../../kit/list/useList.ts'
import { leavesApi } from './api.ts'
import { LeaveCard, useColumns } from './columns.tsx'
import { useLeaveFilters } from './filters.ts'
import { useLeaveTexts } from './texts.ts'
import { WaitingActs, WaitingBulk } from './WaitingActs.tsx'
import { dayWords } from './words.ts'

const filtersOf = (words: ReturnType<typeof useLeaveTexts>) => [
  { key: 'mine', label: words.whose, single: true, options: [{ value: 'true', label: words.mineToDecide }] },
  {
    key: 'kind',
    label: words.kind,
    single: true,
    options: [
      { value: 'request', label: words.requests },
      { value: 'cancellation', label: words.cancellations },
    ],
  },
]

/** Leaves that wait for a decision, the oldest request first. */
export function WaitingList() {
  const words = useLeaveTexts()
  const columns = useColumns()
  const shown = useMemo(() => columns.filter(({ key }) => key !== 'decided'), [columns])
  const list = useList(leavesApi.pending, {
    filters: ['search', 'mine', 'kind', 'departmentId', 'typeId', 'from', 'to'],
  })
  const filters = useLeaveFilters([])
  const [bulk, setBulk] = useState<BulkAct<LeaveRequest>>()
  return (
    <>
      <ListTable
        name="waiting-leaves"
        noun={[words.decision, words.decisions]}
        list={list}
        columns={shown}
        card={(leave) => <LeaveCard leave={leave} />}
        label={({ userName, startDate }) => words.from(userName, dayWords(startDate))}
        menu={(leave) => <WaitingActs leave={leave} />}
        bulk={(rows) => <WaitingBulk rows={rows} ask={setBulk} />}
        search={{ key: 'search', placeholder: words.name }}
        filters={[...filtersOf(words), ...filters]}
        empty={{
          title: words.nothingWaits,
          text: words.waitsText,
          tag: 'LV',
        }}
      />
      {bulk && <BulkModal {...bulk} onClose={() => setBulk(undefined)} />}
    </>
  )
}
