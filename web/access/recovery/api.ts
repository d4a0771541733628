import { recovery } from '@innkeeper/contract/access/recovery'
import { bind } from '../../kit/api/client.ts'

export const recoveryApi = bind('recovery', recovery)
