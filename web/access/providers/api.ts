import { providers } from '@innkeeper/contract/access/providers'
import { bind } from '../../kit/api/client.ts'

export const providersApi = bind('providers', providers)
