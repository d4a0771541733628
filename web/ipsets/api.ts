import { ipsets } from '@innkeeper/contract/ipsets'
import { bind } from '../kit/client.ts'

export const ipsetsApi = bind('ipsets', ipsets)
