import { log } from '@innkeeper/contract/log'
import { bind } from '../kit/api/client.ts'

const { list, one, names, file, ticket, ...told } = log

/** Its rows never change, and new ones are announced: a hint does not read them again. */
export const logApi = bind('log-rows', { list, one, names, file, ticket })
/** What hints keep fresh: how many came, and how far the chain is. */
export const chainApi = bind('log', told)
