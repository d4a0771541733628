import { websites } from '@innkeeper/contract/hosting/websites'
import { bind } from '../../kit/api/client.ts'

const { creations, deletions, orchestrator, resource, resources, retryStopped, stopped, ...calls } = websites

export const websitesApi = bind('websites', calls)
/** Bound to `workflows`, because hints about workflows invalidate these lists of actions. */
export const orchestratorApi = bind('workflows', {
  creations,
  deletions,
  orchestrator,
  resource,
  resources,
  retryStopped,
  stopped,
})
