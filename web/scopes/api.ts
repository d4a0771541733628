import { scopes } from '@innkeeper/contract/scopes'
import { bind } from '../kit/client.ts'

export const scopesApi = bind('scopes', scopes)
