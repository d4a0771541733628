import { type Access, missing } from '@innkeeper/contract/access'
import type { Endpoint } from '@innkeeper/contract/kit'
import { grantSentence, useGrantors } from './grantors.ts'
import { useSession } from './session.ts'

/** "a", "a and b", "a, b and c". */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** Why an act is not open, in one line; undefined when it is. */
export const reasonFor = (lacks: readonly string[]): string | undefined =>
  lacks.length ? `Needs ${listed(lacks)}. ${grantSentence(lacks)}` : undefined

/** `reason` for MenuAction and ActButton, from the call that the act makes. Follows the session live. */
export function useReason(): (call: { endpoint: Endpoint } | Access) => string | undefined {
  const user = useSession()
  useGrantors()
  return (call) => {
    const access = typeof call !== 'string' && 'endpoint' in call ? call.endpoint.access : call
    return reasonFor(missing(user, access))
  }
}
