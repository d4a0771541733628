import { ssl as sslContract } from '@innkeeper/contract/net/ssl/calls'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { revocationWorkflows } from './certificates/revoke.ts'
import { sslHandlers } from './handlers.ts'
import { certificateWorkflows } from './lifecycle.ts'
import { certificateMetrics } from './metrics.ts'
import { askWindows, renewalWorkflows, renewDue } from './orders/renew.ts'
import { certificatePart } from './part.ts'
import * as tables from './tables.ts'
import { certificateTroubles } from './troubles.ts'

export const ssl: Domain = {
  calls: [calls('ssl', sslContract, sslHandlers)],
  workflows: [certificateWorkflows, renewalWorkflows, revocationWorkflows],
  tables,
  metrics: certificateMetrics,
  troubles: certificateTroubles,
  websiteParts: [certificatePart],
  subjects: { certificate: { see: 'ssl:cert:read', act: 'ssl:cert:delete' } },
  readScopes: { ssl: ['ssl:cert:read'] },
  schedules: [
    {
      name: 'certificates',
      everyMs: 30_000,
      async work(app) {
        await renewDue(app)
        await askWindows(app)
      },
    },
  ],
  secrets: [
    {
      prefix: 'certificate:',
      enter: {
        scope: 'ssl:cert:create',
        at: '/ssl',
        page: (name) => sql`select '/ssl/' || certificate_id from certificate_orders where secret = ${name} limit 1`,
      },
      what: 'Private key of a certificate',
      again: 'Certificates: order it again, or upload it with its key.',
      of: (name) => sql`select w.domain from certificate_orders o join certificates c using (certificate_id)
        join websites w on w.website_id = c.website_id where o.secret = ${name} limit 1`,
    },
    {
      prefix: 'own-certificate:',
      what: 'Certificate of Innkeeper itself',
      again: 'Innkeeper orders another one within a minute.',
    },
    {
      prefix: 'acme-account',
      what: 'Account at the certificate authority',
      again: 'A new account is made with the next order. Websites answer its challenges after they are written again.',
    },
  ],
}
