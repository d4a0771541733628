import type * as z from 'zod'
import { backupsOperations } from './agent/backups.ts'
import { configsOperations } from './agent/configs.ts'
import { databasesOperations } from './agent/databases.ts'
import { dnsOperations } from './agent/dns.ts'
import { dumpsOperations } from './agent/dumps.ts'
import { ftpOperations } from './agent/ftp.ts'
import { ipsetsOperations } from './agent/ipsets.ts'
import { mailboxesOperations } from './agent/mailboxes.ts'
import { monitoringOperations } from './agent/monitoring.ts'
import { movesOperations } from './agent/moves.ts'
import { redisOperations } from './agent/redis.ts'
import { serverOperations } from './agent/server.ts'
import { sslOperations } from './agent/ssl.ts'
import { stagingsOperations } from './agent/stagings.ts'
import { systemUsersOperations } from './agent/systemUsers.ts'
import { vhostsOperations } from './agent/vhosts.ts'
import { websitesOperations } from './agent/websites.ts'

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
} as const satisfies Record<string, z.ZodObject>
export type OperationName = keyof typeof operations
export type OperationInput<N extends OperationName> = z.output<(typeof operations)[N]>
