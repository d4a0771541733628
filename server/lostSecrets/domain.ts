import { lostSecrets as lostSecretsContract } from '@innkeeper/contract/lostSecrets'
import type { Domain } from '../domain.ts'
import { calls } from '../kit/http/api.ts'
import { lostSecretsHandlers } from './handlers.ts'

export const lostSecrets: Domain = {
  calls: [calls('lostSecrets', lostSecretsContract, lostSecretsHandlers)],
}
