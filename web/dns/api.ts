import { dns } from '@innkeeper/contract/dns'
import { bind } from '../kit/client.ts'

export const dnsApi = bind('dns', dns)
