import { lostSecrets } from '@innkeeper/contract/lostSecrets'
import { bind } from '../kit/api/client.ts'

export const lostSecretsApi = bind('lostSecrets', lostSecrets)
