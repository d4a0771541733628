import { type Access, missing } from '@innkeeper/contract/kit/access'
import type { Endpoint } from '@innkeeper/contract/kit/endpoint'
import { kitWords } from '../look/texts.ts'
import { grantSentence, labelOf, useGrantors } from './grantors.ts'
import { useSession } from './session.ts'

/** Joins words: "a", "a and b", "a, b and c". */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${kitWords().and} ${words.at(-1)}`

/** Names permissions within a sentence: “Create websites” and “See websites”. Without an answer of the server it counts them. */
export function scopesSentence(scopes: readonly string[]): string {
  const labels = scopes.map(labelOf)
  if (labels.every(Boolean)) return listed(labels.map((label) => `“${label}”`))
  return scopes.length === 1 ? 'a permission' : `${scopes.length} permissions`
}

/** Explains in one line which permissions an action lacks; undefined if it is allowed. */
export const reasonFor = (lacks: readonly string[]): string | undefined =>
  lacks.length ? `Needs ${scopesSentence(lacks)}. ${grantSentence(lacks)}` : undefined

/** Returns the `reason` of MenuAction and ActButton for a call. Re-renders when the session changes. */
export function useReason(): (call: { endpoint: Endpoint } | Access) => string | undefined {
  const user = useSession()
  useGrantors()
  return (call) => {
    const access = typeof call !== 'string' && 'endpoint' in call ? call.endpoint.access : call
    return reasonFor(missing(user, access))
  }
}
