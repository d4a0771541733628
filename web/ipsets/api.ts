import { ipsets } from '@innkeeper/contract/ipsets'
import { bind } from '../kit/api/client.ts'

export const ipsetsApi = bind('ipsets', ipsets)
