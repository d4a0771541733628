import type { Permission } from './permissions.ts'

/** What a call requires: nothing (`public`), a session (`signedIn`), one permission, or all permissions of a list. */
export type Access = 'public' | 'signedIn' | Permission | readonly [Permission, ...Permission[]]

/** A person whose permissions are checked. `scopes` are the granted permissions without wildcards. */
export interface Holder {
  isAdmin: boolean
  scopes: readonly string[]
}

const patterns = new Map<string, RegExp>()

/** Turns a required permission such as `qa:*:read` into a pattern in which only `*` is special. */
function pattern(required: string): RegExp {
  let known = patterns.get(required)
  if (!known) {
    const source = required.replace(/[.*+?^${}()|[\]\\]/g, (c) => (c === '*' ? '.*' : `\\${c}`))
    known = new RegExp(`^${source}$`)
    patterns.set(required, known)
  }
  return known
}

/**
 * Rules RP6-002 to RP6-004: an administrator has every permission. Others need the permission itself, or one that
 * matches the wildcard of `required`.
 */
export function holds(holder: Holder, required: string): boolean {
  if (holder.isAdmin) return true
  if (!required.includes('*')) return holder.scopes.includes(required)
  const matches = pattern(required)
  return holder.scopes.some((scope) => matches.test(scope))
}

/** The permissions of `access` that the person lacks; empty if the call is allowed. */
export function missing(holder: Holder, access: Access): string[] {
  if (access === 'public' || access === 'signedIn') return []
  return (typeof access === 'string' ? [access] : access).filter((scope) => !holds(holder, scope))
}
