import type * as z from 'zod'
import { databasesOperations } from './agent/databases.ts'
import { dnsOperations } from './agent/dns.ts'
import { ipsetsOperations } from './agent/ipsets.ts'
import { movesOperations } from './agent/moves.ts'
import { redisOperations } from './agent/redis.ts'
import { serverOperations } from './agent/server.ts'
import { sslOperations } from './agent/ssl.ts'
import { stagingsOperations } from './agent/stagings.ts'
import { systemUsersOperations } from './agent/systemUsers.ts'
import { vhostsOperations } from './agent/vhosts.ts'
import { websitesOperations } from './agent/websites.ts'

/**
 * What a managed server can be asked. There is no "run a command": an operation that is not in this list does not exist.
 * `run` makes it so, `undo` takes it back; both may be repeated without harm.
 */
export const operations = {
  ...serverOperations,
  ...systemUsersOperations,
  ...websitesOperations,
  ...vhostsOperations,
  ...databasesOperations,
  ...redisOperations,
  ...stagingsOperations,
  ...movesOperations,
  ...dnsOperations,
  ...ipsetsOperations,
  ...sslOperations,
} as const satisfies Record<string, z.ZodObject>
export type OperationName = keyof typeof operations
export type OperationInput<N extends OperationName> = z.output<(typeof operations)[N]>
