import type { LogRow } from '@innkeeper/contract/log'

/** Calls that ask for no permission are logged by their own names. */
const own: Record<string, string> = {
  'auth token': 'Sign in',
  'auth logout': 'Sign out',
}
const verbs: Record<string, string> = { status: 'Set the status of', read: 'See', php: 'Change PHP of' }

/** `force-logout`, `rowCount` → "Force logout", "Row count". */
export function plain(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]/g, ' ')
    .toLowerCase()
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** "Create website", "Sign in". */
export const actOf = ({ service, action, resource }: Pick<LogRow, 'service' | 'action' | 'resource'>): string =>
  own[`${service} ${action}`] ?? `${verbs[action] ?? plain(action)} ${plain(resource ?? service).toLowerCase()}`

/** What it was done to: its name then, else its number. */
export const thingOf = ({ subject, resourceId }: Pick<LogRow, 'subject' | 'resourceId'>): string | undefined =>
  subject ?? (resourceId === null ? undefined : `#${resourceId}`)
