import { webhooks } from '@innkeeper/contract/access/webhooks'
import { bind } from '../../kit/api/client.ts'

export const webhooksApi = bind('webhooks', webhooks)
