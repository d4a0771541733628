import { leaveStatuses } from '@innkeeper/contract/planning/leaves/calls'
import { useQuery } from '@tanstack/react-query'
import { departmentsApi } from '../../access/departments/api.ts'
import { useReason } from '../../kit/access/reasons.ts'
import type { FilterChoice } from '../../kit/list/filterChoice.ts'
import { leavesApi } from './api.ts'
import { leaveTexts, useLeaveTexts } from './texts.ts'
import { kindWords } from './words.ts'

/** Maximum of departments offered as filter options. */
const MOST = 200

/** Leave types, for people who may see leaves. */
export function useTypes() {
  const lacking = useReason()(leavesApi.types)
  return useQuery({ ...leavesApi.types.query(), enabled: !lacking }).data?.items ?? []
}

/** Filter by department, for people who may see departments. */
export function useDepartments(): FilterChoice {
  const lacking = useReason()(departmentsApi.list)
  const { data } = useQuery({ ...departmentsApi.list.query({ itemsPerPage: MOST }), enabled: !lacking })
  return {
    key: 'departmentId',
    label: leaveTexts().department,
    options: (data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
  }
}

/** Filters of leave lists; the status filter is offered only for several statuses. */
export function useLeaveFilters(states: readonly (typeof leaveStatuses)[number][] = leaveStatuses): FilterChoice[] {
  const words = useLeaveTexts()
  const types = useTypes()
  const choices: FilterChoice[] = [
    { key: 'status', label: words.state, options: states.map((value) => ({ value, label: words[value] })) },
    useDepartments(),
    {
      key: 'typeId',
      label: words.kind,
      options: types.map(({ id, code, name }) => ({
        value: String(id),
        label: kindWords({ typeCode: code, typeName: name }),
      })),
    },
  ]
  return choices.filter(({ options }) => options.length > 0)
}
