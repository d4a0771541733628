import { websites } from '@innkeeper/contract/websites'
import { bind } from '../kit/api/client.ts'

const { creations, deletions, orchestrator, resource, resources, retryStopped, stopped, ...calls } = websites

export const websitesApi = bind('websites', calls)
/** What they show are actions: hints about workflows make them stale. */
export const orchestratorApi = bind('workflows', {
  creations,
  deletions,
  orchestrator,
  resource,
  resources,
  retryStopped,
  stopped,
})
