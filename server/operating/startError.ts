import { DrizzleQueryError } from 'drizzle-orm'
import { isAway, reasonOf } from '../kit/db/failures.ts'

/** Why a start failed, in a line or two; with INNKEEPER_LOG=debug the whole error. */
export function startError(error: unknown): unknown {
  if (process.env.INNKEEPER_LOG === 'debug') return error
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE' && 'port' in error)
      return `Port ${error.port} is in use. Set PORT to a free one: the agents' and the preview port follow it.`
    if (error.code === 'EADDRNOTAVAIL') return `HOST is no address of this machine (${error.message})`
  }
  if (error instanceof DrizzleQueryError && isAway(error))
    return `The database went away during the start: ${reasonOf(error)}. Start again once it answers.`
  return reasonOf(error)
}
