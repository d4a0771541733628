import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import type { FilterChoice } from '../../kit/list/filterChoice.ts'
import { departmentsApi } from '../departments/api.ts'

/** With more options than this, a filter is useless: people search instead. */
const MOST = 200

/** The filters of roles; `asked` are the permissions in the URL. */
export function useRoleFilters(asked: readonly string[] = []): FilterChoice[] {
  const lacking = useReason()
  const departments = useQuery({
    ...departmentsApi.list.query({ itemsPerPage: MOST }),
    enabled: !lacking(departmentsApi.list),
  })
  const choices: FilterChoice[] = [
    {
      key: 'department',
      label: 'Department',
      options: (departments.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
    },
    { key: 'scope', label: 'Holds', single: true, options: asked.map((scope) => ({ value: scope, label: scope })) },
  ]
  return choices.filter(({ options }) => options.length > 0)
}
