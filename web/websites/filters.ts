import type { Website } from '@innkeeper/contract/websites'
import { useQuery } from '@tanstack/react-query'
import type { FilterChoice, Option } from '../kit/FilterBar.tsx'
import { useReason } from '../kit/reasons.ts'
import { stateOf } from '../kit/stateWords.ts'
import { ownersApi } from '../owners/api.ts'
import { plansApi } from '../plans/api.ts'
import { serversApi } from '../servers/api.ts'
import { kindChoices } from './words.ts'

/** A choice longer than this is no choice: those are found by domain. */
const MOST = 200

export const statuses = ['active', 'creating', 'migrating', 'suspended', 'failed', 'deleting', 'deleted'] as const
export const views = [
  { name: 'Failing', filters: { status: ['failed'] } },
  { name: 'Moving', filters: { status: ['creating', 'migrating', 'deleting'] } },
  { name: 'Suspended', filters: { status: ['suspended'] } },
  { name: 'Trash', filters: { status: ['deleted'] } },
]

const option = ({ id, name }: { id: number; name: string }): Option => ({ value: String(id), label: name })

/** The servers that a list can be narrowed to; none for who may not see servers. */
export function useServerOptions(): Option[] {
  const lacking = useReason()
  const { data } = useQuery({
    ...serversApi.list.query({ itemsPerPage: MOST }),
    enabled: !lacking(serversApi.list),
  })
  return data?.items.map(option) ?? []
}

/** What the list of websites can be narrowed by. A choice whose things the person may not see is not offered. */
export function useFilters(shown: readonly Website[]): FilterChoice[] {
  const lacking = useReason()
  const plans = useQuery({ ...plansApi.list.query({ itemsPerPage: MOST }), enabled: !lacking(plansApi.list) })
  const owners = useQuery({ ...ownersApi.list.query({ itemsPerPage: MOST }), enabled: !lacking(ownersApi.list) })
  const servers = useServerOptions()
  const versions = [...new Set((plans.data?.items ?? []).flatMap(({ phpVersions }) => phpVersions))].sort().reverse()
  // an owner beyond the first 200 may still stand in the address
  const named = shown.map(({ ownerId, ownerName }) => ({ id: ownerId, name: ownerName }))
  const choices: FilterChoice[] = [
    {
      key: 'status',
      label: 'Status',
      options: statuses.map((status) => ({ value: status, label: stateOf(status).word })),
    },
    { key: 'kind', label: 'Kind', options: [...kindChoices] },
    { key: 'server', label: 'Server', options: servers },
    { key: 'userid', label: 'Owner', options: unique([...(owners.data?.items ?? []), ...named].map(option)) },
    { key: 'plan', label: 'Plan', options: (plans.data?.items ?? []).map(option) },
    { key: 'phpVersion', label: 'PHP', options: versions.map((version) => ({ value: version, label: version })) },
  ]
  return choices.filter(({ options }) => options.length > 0)
}

const unique = (options: Option[]): Option[] => [...new Map(options.map((one) => [one.value, one])).values()]
