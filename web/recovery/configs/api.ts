import { configs } from '@innkeeper/contract/recovery/configs/calls'
import { bind } from '../../kit/api/client.ts'

export const configsApi = bind('configs', configs)
