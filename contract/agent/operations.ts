import type * as z from 'zod'
import { archivesOperations } from './archives.ts'
import { backupsOperations } from './backups.ts'
import { configsOperations } from './configs.ts'
import { databasesOperations } from './databases.ts'
import { dnsOperations } from './dns.ts'
import { dumpsOperations } from './dumps.ts'
import { ftpOperations } from './ftp.ts'
import { inPlaceOperations } from './inPlace.ts'
import { ipsetsOperations } from './ipsets.ts'
import { mailboxesOperations } from './mailboxes.ts'
import { monitoringOperations } from './monitoring.ts'
import { movesOperations } from './moves.ts'
import { redisOperations } from './redis.ts'
import { serverOperations } from './server.ts'
import { sslOperations } from './ssl.ts'
import { stagingsOperations } from './stagings.ts'
import { systemUsersOperations } from './systemUsers.ts'
import { vhostsOperations } from './vhosts.ts'
import { websitesOperations } from './websites.ts'

/**
 * All operations of an agent. There is no operation that runs an arbitrary command. `run` applies the desired state,
 * `undo` reverts it. Both can be repeated safely.
 */
export const operations = {
  ...serverOperations,
  ...systemUsersOperations,
  ...websitesOperations,
  ...vhostsOperations,
  ...databasesOperations,
  ...dumpsOperations,
  ...redisOperations,
  ...ftpOperations,
  ...mailboxesOperations,
  ...stagingsOperations,
  ...monitoringOperations,
  ...movesOperations,
  ...dnsOperations,
  ...ipsetsOperations,
  ...sslOperations,
  ...configsOperations,
  ...backupsOperations,
  ...archivesOperations,
  ...inPlaceOperations,
} as const satisfies Record<string, z.ZodObject>
export type OperationName = keyof typeof operations
export type OperationInput<N extends OperationName> = z.output<(typeof operations)[N]>
