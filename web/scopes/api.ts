import { scopes } from '@innkeeper/contract/scopes'
import { bind } from '../kit/api/client.ts'

export const scopesApi = bind('scopes', scopes)
