import { ssl } from '@innkeeper/contract/ssl'
import { bind } from '../kit/client.ts'

export const sslApi = bind('ssl', ssl)
