import { names } from '@innkeeper/contract/hosting/names/calls'
import { bind } from '../../kit/api/client.ts'

/** Bound to `websites`, because changes of websites invalidate these queries. */
export const namesApi = bind('websites', names)
