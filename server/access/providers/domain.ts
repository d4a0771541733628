import { providers as contract } from '@innkeeper/contract/access/providers'
import { eq, sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { numberIn } from '../../kit/app/secretKinds.ts'
import { calls } from '../../kit/http/api.ts'
import { providersHandlers } from './handlers.ts'
import { oidcRoutes } from './oidc/routes.ts'
import { scimRoutes } from './scim/routes.ts'
import * as tables from './tables.ts'

export const providers: Domain = {
  calls: [calls('providers', contract, providersHandlers), oidcRoutes, scimRoutes],
  tables,
  readScopes: { providers: ['users:provider:read'] },
  secrets: [
    {
      prefix: 'identity-provider ',
      enter: {
        scope: 'users:provider:update',
        at: '/sign-in',
        page: (_, rest) => sql`select '/sign-in/' || ${numberIn(rest)}`,
      },
      what: 'Secret of an identity provider',
      again: 'Enter the secret of the client again. Until then nobody signs in by this provider.',
      of: (_, rest) => sql`select name from identity_providers where provider_id = ${numberIn(rest)}`,
    },
  ],
  async accountDeleted(db, { id }) {
    await db.update(tables.identityProviders).set({ heirId: null }).where(eq(tables.identityProviders.heirId, id))
  },
}
