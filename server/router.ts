import { contract } from '@innkeeper/contract/index'
import type { FastifyInstance } from 'fastify'
import { authHandlers } from './auth/handlers.ts'
import { calendarEventsHandlers } from './calendarEvents/handlers.ts'
import { databasesHandlers } from './databases/handlers.ts'
import { departmentsHandlers } from './departments/handlers.ts'
import { dnsHandlers } from './dns/handlers.ts'
import { filesHandlers } from './files/handlers.ts'
import { groupsHandlers } from './groups/handlers.ts'
import { ipsetsHandlers } from './ipsets/handlers.ts'
import type { App } from './kit/app/app.ts'
import { bind } from './kit/http/api.ts'
import { leavesHandlers } from './leaves/handlers.ts'
import { logHandlers } from './log/handlers.ts'
import { movesHandlers } from './moves/handlers.ts'
import { namesHandlers } from './names/handlers.ts'
import { notificationsHandlers } from './notifications/handlers.ts'
import { ownersHandlers } from './owners/handlers.ts'
import { plansHandlers } from './plans/handlers.ts'
import { profilesHandlers } from './profiles/handlers.ts'
import { redisHandlers } from './redis/handlers.ts'
import { rolesHandlers } from './roles/handlers.ts'
import { scopesHandlers } from './scopes/handlers.ts'
import { secondFactorHandlers } from './secondFactor/handlers.ts'
import { serversHandlers } from './servers/handlers.ts'
import { sftpHandlers } from './sftp/handlers.ts'
import { shiftsHandlers } from './shifts/handlers.ts'
import { sslHandlers } from './ssl/handlers.ts'
import { stagingsHandlers } from './stagings/handlers.ts'
import { systemUsersHandlers } from './systemUsers/handlers.ts'
import { usersHandlers } from './users/handlers.ts'
import { vhostsHandlers } from './vhosts/edgeHandlers.ts'
import { originVhostsHandlers } from './vhosts/originHandlers.ts'
import { viewsHandlers } from './views/handlers.ts'
import { websitesHandlers } from './websites/handlers.ts'
import { workflowsHandlers } from './workflows/handlers.ts'

/** Every call, one line per domain. */
export function route(server: FastifyInstance, app: App): void {
  bind(server, app, 'auth', contract.auth, authHandlers)
  bind(server, app, 'secondFactor', contract.secondFactor, secondFactorHandlers)
  bind(server, app, 'users', contract.users, usersHandlers)
  bind(server, app, 'roles', contract.roles, rolesHandlers)
  bind(server, app, 'departments', contract.departments, departmentsHandlers)
  bind(server, app, 'scopes', contract.scopes, scopesHandlers)
  bind(server, app, 'profiles', contract.profiles, profilesHandlers)
  bind(server, app, 'notifications', contract.notifications, notificationsHandlers)
  bind(server, app, 'files', contract.files, filesHandlers)
  bind(server, app, 'log', contract.log, logHandlers)
  bind(server, app, 'servers', contract.servers, serversHandlers)
  bind(server, app, 'dns', contract.dns, dnsHandlers)
  bind(server, app, 'ipsets', contract.ipsets, ipsetsHandlers)
  bind(server, app, 'ssl', contract.ssl, sslHandlers)
  bind(server, app, 'owners', contract.owners, ownersHandlers)
  bind(server, app, 'plans', contract.plans, plansHandlers)
  bind(server, app, 'views', contract.views, viewsHandlers)
  bind(server, app, 'systemUsers', contract.systemUsers, systemUsersHandlers)
  bind(server, app, 'sftp', contract.sftp, sftpHandlers)
  bind(server, app, 'groups', contract.groups, groupsHandlers)
  bind(server, app, 'moves', contract.moves, movesHandlers)
  bind(server, app, 'websites', contract.websites, websitesHandlers)
  bind(server, app, 'names', contract.names, namesHandlers)
  bind(server, app, 'vhosts', contract.vhosts, vhostsHandlers)
  bind(server, app, 'originVhosts', contract.originVhosts, originVhostsHandlers)
  bind(server, app, 'redis', contract.redis, redisHandlers)
  bind(server, app, 'databases', contract.databases, databasesHandlers)
  bind(server, app, 'stagings', contract.stagings, stagingsHandlers)
  bind(server, app, 'calendarEvents', contract.calendarEvents, calendarEventsHandlers)
  bind(server, app, 'shifts', contract.shifts, shiftsHandlers)
  bind(server, app, 'workflows', contract.workflows, workflowsHandlers)
  bind(server, app, 'leaves', contract.leaves, leavesHandlers)
}
