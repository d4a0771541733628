import { ApiError } from '../send.ts'
import { WorkflowEnded } from '../workflow.ts'

/** Exit codes, as docs/api.md lists them. */
export const exits = {
  done: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  notFound: 4,
  conflict: 5,
  workflow: 6,
  away: 7,
} as const

/** A command that cannot be carried out as it was typed. */
export class UsageError extends Error {}

/** Nothing has the name that was typed. */
export class MissingError extends Error {}

export function exitOf(error: unknown): number {
  if (error instanceof UsageError) return exits.usage
  if (error instanceof MissingError) return exits.notFound
  if (error instanceof WorkflowEnded) return exits.workflow
  if (!(error instanceof ApiError)) return exits.failed
  const { status } = error
  if (status === 0 || status === 429 || status >= 502) return exits.away
  if (status === 400 || status === 422) return exits.usage
  if (status === 401 || status === 403) return exits.denied
  if (status === 404) return exits.notFound
  return status === 409 ? exits.conflict : exits.failed
}
