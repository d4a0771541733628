import { log } from '@innkeeper/contract/access/log'
import { bind } from '../../kit/api/client.ts'

const { list, one, names, file, ticket, ...others } = log

/** Rows never change and new ones are announced, so hints do not invalidate these queries. */
export const logApi = bind('log-rows', { list, one, names, file, ticket })
/** Queries that hints invalidate: the number of new rows and the state of the chain. */
export const chainApi = bind('log', others)
