import { dns } from '@innkeeper/contract/net/dns/calls'
import { bind } from '../../kit/api/client.ts'

export const dnsApi = bind('dns', dns)
