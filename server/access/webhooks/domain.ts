import { webhooks as contract } from '@innkeeper/contract/access/webhooks'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { numberIn } from '../../kit/app/secretKinds.ts'
import { calls } from '../../kit/http/api.ts'
import { deliveryHandlers } from './deliveries.ts'
import { webhooksHandlers } from './handlers.ts'
import { ownedWebhooks } from './holdings.ts'
import { deliverDue } from './sending.ts'
import * as tables from './tables.ts'
import { takeOver } from './takeOver.ts'

export const webhooks: Domain = {
  calls: [calls('webhooks', contract, { ...webhooksHandlers, ...deliveryHandlers })],
  tables,
  readScopes: { webhooks: ['api:webhook:read'] },
  holdings: [ownedWebhooks],
  schedules: [
    {
      name: 'webhooks',
      everyMs: 1000,
      async work(app) {
        await takeOver(app)
        // a slow receiver must not hold up the next round
        for (const sending of await deliverDue(app))
          sending.catch((error: unknown) => app.log.error({ err: error }, 'webhooks'))
      },
    },
  ],
  retention: [{ table: 'webhook_deliveries', old: sql`ended_at < now() - interval '14 days'` }],
  secrets: [
    {
      prefix: 'webhook ',
      what: 'Secret of a webhook',
      again: 'Make a new secret for the webhook and enter it at the receiver.',
      enter: { scope: 'api:webhook:update', at: '/webhooks' },
      of: (_, rest) => sql`select name from webhooks where webhook_id = ${numberIn(rest)}`,
    },
    {
      prefix: 'webhook-old ',
      what: 'Former secret of a webhook',
      again: 'Nothing is to be done: the present secret signs.',
      of: (_, rest) => sql`select name from webhooks where webhook_id = ${numberIn(rest)}`,
    },
  ],
}
