import { stagings } from '@innkeeper/contract/stagings'
import { bind } from '../kit/api/client.ts'

/** Copies and merges are of websites: what changes those makes what is shown of them stale. */
export const stagingsApi = bind('websites', stagings)
