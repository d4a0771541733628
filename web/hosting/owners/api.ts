import { owners } from '@innkeeper/contract/hosting/owners'
import { bind } from '../../kit/api/client.ts'

export const ownersApi = bind('owners', owners)
