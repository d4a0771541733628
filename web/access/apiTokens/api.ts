import { apiTokens } from '@innkeeper/contract/access/apiTokens'
import { bind } from '../../kit/api/client.ts'

export const apiTokensApi = bind('apiTokens', apiTokens)
