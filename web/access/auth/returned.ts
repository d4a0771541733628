import { type Failure, failures } from '@innkeeper/contract/access/providers'
import { adopt } from '../../kit/access/account.ts'
import { ownPath } from '../../kit/frame/address.ts'

const isFailure = (text: string): text is Failure => text in failures

/**
 * Ends a sign-in by an identity provider, whose outcome is in the fragment of the address. Returns what went wrong;
 * undefined if the session has begun.
 */
export async function endReturn(outcome: string, value: string): Promise<string | undefined> {
  if (outcome === 'failed') {
    history.replaceState(null, '', '/login')
    return isFailure(value) ? failures[value] : 'The sign-in failed. Begin again.'
  }
  history.replaceState(null, '', ownPath(decodeURIComponent(value)) ?? '/')
  try {
    await adopt()
    return undefined
  } catch (error) {
    history.replaceState(null, '', '/login')
    return error instanceof Error ? error.message : String(error)
  }
}
