import { configs } from '@innkeeper/contract/configs'
import { bind } from '../kit/api/client.ts'

export const configsApi = bind('configs', configs)
