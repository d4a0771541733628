import { stagings } from '@innkeeper/contract/stagings'
import { bind } from '../kit/api/client.ts'

/** Bound to `websites`, so that hints about websites also refresh copies and merges. */
export const stagingsApi = bind('websites', stagings)
