import type { WebsiteRow } from '@innkeeper/contract/hosting/websites'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import type { FilterChoice, Option } from '../../kit/list/filterChoice.ts'
import type { View } from '../../kit/list/Views.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import { webTypes } from '../../machines/servers/choice/availability.ts'
import { useServerChoice } from '../../machines/servers/choice/useServerChoice.ts'
import { useOwnerChoice } from '../owners/useOwnerChoice.ts'
import { plansApi } from '../plans/api.ts'
import { kindChoices } from './words.ts'

/** Maximum of plans offered as filter options. */
const MOST = 200

const statuses = ['active', 'creating', 'migrating', 'suspended', 'failed', 'deleting', 'deleted'] as const
export const views: readonly View[] = [
  { name: 'Down', filters: { health: ['down'] } },
  { name: 'Failing', filters: { status: ['failed'] } },
  { name: 'Moving', filters: { status: ['creating', 'migrating', 'deleting'] } },
  { name: 'Suspended', filters: { status: ['suspended'] } },
  { name: 'Trash', filters: { status: ['deleted'] } },
]

const option = ({ id, name }: { id: number; name: string }): Option => ({ value: String(id), label: name })

/** Filters of the list of websites. Omits filters whose options the person may not see. */
export function useFilters(shown: readonly WebsiteRow[]): FilterChoice[] {
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
    {
      key: 'health',
      label: 'Seen',
      options: [
        { value: 'down', label: 'Down' },
        { value: 'up', label: 'Up' },
        { value: 'unknown', label: 'Not seen yet' },
      ],
    },
    { key: 'kind', label: 'Kind', options: [...kindChoices] },
    ...servers,
    ...owners,
    { key: 'plan', label: 'Plan', options: (plans.data?.items ?? []).map(option) },
    { key: 'phpVersion', label: 'PHP', options: versions.map((version) => ({ value: version, label: version })) },
  ]
  return choices.filter(({ options, call }) => call || options.length > 0)
}
