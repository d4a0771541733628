import { names } from '@innkeeper/contract/names'
import { bind } from '../kit/api/client.ts'

/** What they show are websites: what changes those makes it stale. */
export const namesApi = bind('websites', names)
