import { ipsets } from '@innkeeper/contract/machines/ipsets/calls'
import { bind } from '../../kit/api/client.ts'

export const ipsetsApi = bind('ipsets', ipsets)
