import { dns } from '@innkeeper/contract/dns'
import { bind } from '../kit/api/client.ts'

export const dnsApi = bind('dns', dns)
