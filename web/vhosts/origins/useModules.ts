import { moduleOf } from '@innkeeper/contract/originVhosts'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { originVhostsApi } from '../api.ts'

/** Those of one server; none for who may not see modules. */
export function useModules(serverId: number): string[] {
  const lacking = useReason()(originVhostsApi.modules)
  const { data } = useQuery({ ...originVhostsApi.modules.query(), enabled: !lacking })
  return (data?.items ?? [])
    .filter(({ servers }) => servers.some(({ id }) => id === serverId))
    .map(({ phpVersion }) => moduleOf(phpVersion))
}
