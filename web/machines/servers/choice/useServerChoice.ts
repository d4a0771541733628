import type { Server } from '@innkeeper/contract/machines/servers/shapes'
import { useReason } from '../../../kit/access/reasons.ts'
import type { FilterChoice, Finds } from '../../../kit/list/filterChoice.ts'
import { serversApi } from '../api.ts'

/** Filter by servers of some types; absent for people who may not see servers. */
export function useServerChoice(type?: Server['type'][], label = 'Server'): FilterChoice[] {
  const lacking = useReason()
  const call: Finds = { query: (input) => serversApi.list.query({ ...input, ...(type && !input.ids && { type }) }) }
  return lacking(serversApi.list) ? [] : [{ key: 'server', label, options: [], call }]
}
