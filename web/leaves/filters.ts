import { leaveStatuses } from '@innkeeper/contract/leaves'
import { useQuery } from '@tanstack/react-query'
import { departmentsApi } from '../departments/api.ts'
import { useReason } from '../kit/access/reasons.ts'
import type { FilterChoice } from '../kit/list/FilterBar.tsx'
import { stateOf } from '../kit/look/stateWords.ts'
import { leavesApi } from './api.ts'

/** A choice longer than this is no choice. */
const MOST = 200

/** Kinds of leave, for whoever may see leaves. */
export function useTypes() {
  const lacking = useReason()(leavesApi.types)
  return useQuery({ ...leavesApi.types.query(), enabled: !lacking }).data?.items ?? []
}

/** Departments, for whoever may see them. */
export function useDepartments(): FilterChoice {
  const lacking = useReason()(departmentsApi.list)
  const { data } = useQuery({ ...departmentsApi.list.query({ itemsPerPage: MOST }), enabled: !lacking })
  return {
    key: 'departmentId',
    label: 'Department',
    options: (data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
  }
}

/** What lists of leaves can be narrowed by; states only where they differ. */
export function useLeaveFilters(states: readonly (typeof leaveStatuses)[number][] = leaveStatuses): FilterChoice[] {
  const types = useTypes()
  const choices: FilterChoice[] = [
    { key: 'status', label: 'State', options: states.map((value) => ({ value, label: stateOf(value).word })) },
    useDepartments(),
    { key: 'typeId', label: 'Kind', options: types.map(({ id, name }) => ({ value: String(id), label: name })) },
  ]
  return choices.filter(({ options }) => options.length > 0)
}
