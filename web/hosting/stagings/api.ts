import { stagings } from '@innkeeper/contract/hosting/stagings/calls'
import { bind } from '../../kit/api/client.ts'

/** Bound to `websites`, so that hints about websites also refresh copies and merges. */
export const stagingsApi = bind('websites', stagings)
