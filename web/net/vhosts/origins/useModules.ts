import { moduleOf } from '@innkeeper/contract/net/originVhosts/shapes'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { originVhostsApi } from '../api.ts'

/** The PHP modules of a server; empty without permission to see them. */
export function useModules(serverId: number): string[] {
  const lacking = useReason()(originVhostsApi.modules)
  const { data } = useQuery({ ...originVhostsApi.modules.query(), enabled: !lacking })
  return (data?.items ?? [])
    .filter(({ servers }) => servers.some(({ id }) => id === serverId))
    .map(({ phpVersion }) => moduleOf(phpVersion))
}
