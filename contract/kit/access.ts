import { isPermission, type Permission } from '../permissions/services.ts'

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

/** The permission to read a service, for resources that have no permission of their own to read. */
const readers: Record<string, string> = {
  database: 'database:database:read',
  dns: 'dns:zone:read',
  'file-manager': 'file-manager:file:browse',
  'ftp-user': 'ftp-user:user:read',
  'internal-ticket': 'internal-ticket:settings:read',
  mailbox: 'mailbox:mailbox:read',
  qa: 'qa:*:read',
  'system-user': 'system-user:user:read',
  vhost: 'vhost:vhost:read',
  website: 'website:website:read',
}

/**
 * Permissions whose calls show their records without a permission to read: a person's own, those to decide, and those
 * with which the calls that read work too.
 */
const showing: ReadonlySet<string> = new Set([
  'calendar:leave:create',
  'calendar:leave:cancel',
  'calendar:leave:review',
  'calendar:leave:review-cancellation',
  'qa:chat-queue:settings',
  'qa:manager:access',
  'scrums:component:create',
  'users:elevation:grant',
])

/**
 * Whether a holder of the permissions to read may see the resource of a call. `users:user:update` needs
 * `users:user:read`. Without a known permission to read, the permission of the call itself decides, because its calls
 * read and change alike (`sms:settings:update`).
 */
export function readsToo(holder: Holder, access: Access): boolean {
  if (access === 'public' || access === 'signedIn') return true
  return [access].flat().every((scope) => {
    if (showing.has(scope)) return true
    const [service, resource] = scope.split(':') as [string, string] // every permission has three words
    const own = `${service}:${resource}:read`
    return holds(holder, isPermission(own) ? own : (readers[service] ?? scope))
  })
}
