import { useQuery } from '@tanstack/react-query'
import { useWebsiteChoice } from '../../hosting/websites/useWebsiteChoice.ts'
import type { FilterChoice, Option } from '../../kit/list/filterChoice.ts'
import type { View } from '../../kit/list/Views.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import { logApi } from './api.ts'
import { plain } from './words.ts'

const results = ['success', 'failed', 'denied'] as const
export const keys = [
  ...(['text', 'agents', 'service_ids', 'actions', 'resources', 'results'] as const),
  ...(['website', 'resource_id', 'workflow', 'ip', 'start_time', 'end_time'] as const),
] as const
export const views: View[] = [
  { name: 'Denied', filters: { results: ['denied'] } },
  { name: 'Failed', filters: { results: ['failed'] } },
  { name: 'Deletions', filters: { actions: ['delete'] } },
]

const asOptions = (names: readonly string[] = []): Option[] =>
  names.map((value) => ({ value, label: plain(value) })).sort((a, b) => a.label.localeCompare(b.label))

/** All filters of the log. */
export function useFilters(): FilterChoice[] {
  const { data } = useQuery({ ...logApi.names.query(), staleTime: 300_000 })
  const website = useWebsiteChoice('website')
  const staff = [
    { value: '0', label: 'Nobody signed in' },
    ...(data?.staff ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  return [
    { key: 'results', label: 'Result', options: results.map((value) => ({ value, label: stateOf(value).word })) },
    { key: 'agents', label: 'Staff', options: staff },
    { key: 'service_ids', label: 'Service', options: asOptions(data?.services) },
    { key: 'actions', label: 'Action', options: asOptions(data?.actions) },
    { key: 'resources', label: 'Kind of object', options: asOptions(data?.resources) },
    ...website,
    { key: 'resource_id', label: 'Object number', options: [], typed: 'text' },
    { key: 'workflow', label: 'Workflow', options: [], typed: 'text' },
    { key: 'ip', label: 'Address', options: [], typed: 'text' },
    { key: 'start_time', label: 'From', options: [], typed: 'moment' },
    { key: 'end_time', label: 'Until', options: [], typed: 'moment' },
  ]
}
