import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import type { FilterChoice, Option } from '../../kit/list/filterChoice.ts'
import type { View } from '../../kit/list/Views.tsx'
import { departmentsApi } from '../departments/api.ts'
import { rolesApi } from '../roles/api.ts'

/** With more options than this, a filter is useless: people search instead. */
const MOST = 200

/** Groups by permissions, equal to those of the server's calls per group. */
const groups = {
  reviewers: ['qa:chat:review', 'qa:ticket:review'],
  managers: ['qa:manager:access'],
  planners: ['calendar:shift:create'],
}

export const views: readonly View[] = [
  { name: 'Administrators', filters: { kind: ['administrator'] } },
  { name: 'Locked', filters: { state: ['locked'] } },
  { name: 'QA users', filters: { scope: groups.reviewers } },
  { name: 'QA managers', filters: { scope: groups.managers } },
  { name: 'Shift managers', filters: { scope: groups.planners } },
]

const option = ({ id, name }: { id: number; name: string }): Option => ({ value: String(id), label: name })
const same = (scope: string): Option => ({ value: scope, label: scope })

/** The filters of user accounts; `asked` are the permissions in the URL. */
export function useUserFilters(asked: readonly string[] = []): FilterChoice[] {
  const lacking = useReason()
  const roles = useQuery({ ...rolesApi.list.query({ itemsPerPage: MOST }), enabled: !lacking(rolesApi.list) })
  const departments = useQuery({
    ...departmentsApi.list.query({ itemsPerPage: MOST }),
    enabled: !lacking(departmentsApi.list),
  })
  const choices: FilterChoice[] = [
    {
      key: 'state',
      label: 'Sign-in',
      single: true,
      options: [
        { value: 'locked', label: 'Locked' },
        { value: 'never-signed-in', label: 'Never signed in' },
        { value: 'suspended', label: 'Suspended' },
        { value: 'without-role', label: 'Without a role' },
      ],
    },
    { key: 'role', label: 'Role', options: (roles.data?.items ?? []).map(option) },
    { key: 'department', label: 'Department', options: (departments.data?.items ?? []).map(option) },
    {
      key: 'kind',
      label: 'Kind',
      single: true,
      options: [
        { value: 'administrator', label: 'Administrators' },
        { value: 'staff', label: 'All others' },
      ],
    },
    {
      key: 'secondFactor',
      label: 'Second factor',
      single: true,
      options: [
        { value: 'on', label: 'On' },
        { value: 'off', label: 'Off' },
      ],
    },
    {
      key: 'scope',
      label: 'Holds',
      options: [...new Set([...Object.values(groups).flat(), ...asked])].map(same),
    },
  ]
  return choices.filter(({ options }) => options.length > 0)
}
