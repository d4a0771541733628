import type { Server } from '@innkeeper/contract/servers'
import type { Website } from '@innkeeper/contract/websites'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../kit/access/reasons.ts'
import type { FilterChoice, Option } from '../kit/list/FilterBar.tsx'
import type { Finds } from '../kit/list/FilterOptions.tsx'
import { stateOf } from '../kit/look/stateWords.ts'
import { ownersApi } from '../owners/api.ts'
import { plansApi } from '../plans/api.ts'
import { serversApi } from '../servers/api.ts'
import { webTypes } from '../servers/availability.ts'
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

/** The servers of some types that a list can be narrowed to; not offered to who may not see servers. */
export function useServerChoice(type?: Server['type'][], label = 'Server'): FilterChoice[] {
  const lacking = useReason()
  const call: Finds = { query: (input) => serversApi.list.query({ ...input, ...(type && !input.ids && { type }) }) }
  return lacking(serversApi.list) ? [] : [{ key: 'server', label, options: [], call }]
}

/** The same of owners. `shown`: rows whose owners' names are known. */
export function useOwnerChoice(
  key: 'owner' | 'userid',
  shown: readonly { ownerId: number; ownerName: string }[],
): FilterChoice[] {
  const lacking = useReason()
  const options = unique(shown.map(({ ownerId, ownerName }) => option({ id: ownerId, name: ownerName })))
  return lacking(ownersApi.list) ? [] : [{ key, label: 'Owner', options, call: ownersApi.list }]
}

/** What the list of websites can be narrowed by. A choice whose things the person may not see is not offered. */
export function useFilters(shown: readonly Website[]): FilterChoice[] {
  const lacking = useReason()
  const plans = useQuery({ ...plansApi.list.query({ itemsPerPage: MOST }), enabled: !lacking(plansApi.list) })
  const servers = useServerChoice(webTypes)
  const owners = useOwnerChoice('userid', shown)
  const versions = [...new Set((plans.data?.items ?? []).flatMap(({ phpVersions }) => phpVersions))].sort().reverse()
  const choices: FilterChoice[] = [
    {
      key: 'status',
      label: 'Status',
      options: statuses.map((status) => ({ value: status, label: stateOf(status).word })),
    },
    { key: 'kind', label: 'Kind', options: [...kindChoices] },
    ...servers,
    ...owners,
    { key: 'plan', label: 'Plan', options: (plans.data?.items ?? []).map(option) },
    { key: 'phpVersion', label: 'PHP', options: versions.map((version) => ({ value: version, label: version })) },
  ]
  return choices.filter(({ options, call }) => call || options.length > 0)
}

const unique = (options: Option[]): Option[] => [...new Map(options.map((one) => [one.value, one])).values()]
