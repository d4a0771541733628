import { scopes } from '@innkeeper/contract/access/scopes'
import { bind } from '../../kit/api/client.ts'

export const scopesApi = bind('scopes', scopes)
