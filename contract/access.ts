import type { Permission } from './permissions.ts'

/** What a call asks of its caller: nothing, a session, one permission, or all of several. An empty list would be none. */
export type Access = 'public' | 'signedIn' | Permission | readonly [Permission, ...Permission[]]

/** Somebody who may or may not. `scopes` are what the person holds, literally. */
export interface Holder {
  isAdmin: boolean
  scopes: readonly string[]
}

const patterns = new Map<string, RegExp>()

/** `qa:*:read` as a pattern over what is held: everything but `*` is literal. */
function pattern(required: string): RegExp {
  let known = patterns.get(required)
  if (!known) {
    const source = required.replace(/[.*+?^${}()|[\]\\]/g, (c) => (c === '*' ? '.*' : `\\${c}`))
    known = new RegExp(`^${source}$`)
    patterns.set(required, known)
  }
  return known
}

/** Rules RP6-002…004: an administrator passes; others need it literally, or by the *required* scope's pattern. */
export function holds(holder: Holder, required: string): boolean {
  if (holder.isAdmin) return true
  if (!required.includes('*')) return holder.scopes.includes(required)
  const matches = pattern(required)
  return holder.scopes.some((scope) => matches.test(scope))
}

/** The permissions of `access` that are not held; empty when the way is free. */
export function missing(holder: Holder, access: Access): string[] {
  if (access === 'public' || access === 'signedIn') return []
  return (typeof access === 'string' ? [access] : access).filter((scope) => !holds(holder, scope))
}
