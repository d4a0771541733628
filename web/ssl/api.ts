import { ssl } from '@innkeeper/contract/ssl'
import { bind } from '../kit/api/client.ts'

export const sslApi = bind('ssl', ssl)
