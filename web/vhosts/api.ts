import { originVhosts } from '@innkeeper/contract/originVhosts'
import { vhosts } from '@innkeeper/contract/vhosts'
import { bind } from '../kit/api/client.ts'

export const vhostsApi = bind('vhosts', vhosts)
export const originVhostsApi = bind('originVhosts', originVhosts)
