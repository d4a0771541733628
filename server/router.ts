import { contract } from '@innkeeper/contract/index'
import type { FastifyInstance } from 'fastify'
import { bind } from './kit/api.ts'
import type { App } from './kit/app.ts'
import { notificationsHandlers } from './notifications/handlers.ts'
import { ownersHandlers } from './owners/handlers.ts'
import { plansHandlers } from './plans/handlers.ts'
import { profilesHandlers } from './profiles/handlers.ts'
import { serversHandlers } from './servers/handlers.ts'
import { authHandlers } from './users/auth.ts'
import { websitesHandlers } from './websites/handlers.ts'
import { workflowsHandlers } from './workflows/handlers.ts'

/** Every call, one line per domain. */
export function route(server: FastifyInstance, app: App): void {
  bind(server, app, 'auth', contract.auth, authHandlers)
  bind(server, app, 'profiles', contract.profiles, profilesHandlers)
  bind(server, app, 'notifications', contract.notifications, notificationsHandlers)
  bind(server, app, 'servers', contract.servers, serversHandlers)
  bind(server, app, 'owners', contract.owners, ownersHandlers)
  bind(server, app, 'plans', contract.plans, plansHandlers)
  bind(server, app, 'websites', contract.websites, websitesHandlers)
  bind(server, app, 'workflows', contract.workflows, workflowsHandlers)
}
