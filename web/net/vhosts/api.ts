import { originVhosts } from '@innkeeper/contract/net/originVhosts/calls'
import { vhosts } from '@innkeeper/contract/net/vhosts/calls'
import { bind } from '../../kit/api/client.ts'

export const vhostsApi = bind('vhosts', vhosts)
export const originVhostsApi = bind('originVhosts', originVhosts)
