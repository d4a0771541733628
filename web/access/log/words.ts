import type { LogRow } from '@innkeeper/contract/access/log'

/** Labels of calls that need no permission: the log stores these under the name of the call. */
const own: Record<string, string> = {
  'auth token': 'Sign in',
  'auth logout': 'Sign out',
}
const verbs: Record<string, string> = {
  ...{ status: 'Set the status of', read: 'See', php: 'Change PHP of' },
  ...{ reveal: 'Show the password of', changePassword: 'Enter the password of' },
}

/** `force-logout`, `rowCount` → "Force logout", "Row count". */
export function plain(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]/g, ' ')
    .toLowerCase()
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** Labels of fields whose stored name differs from the term on screens. */
const fields: Record<string, string> = {
  allDay: 'Whole day',
  breakMinutes: 'Break, minutes',
  cdn: 'Behind the CDN',
  durationMin: 'Duration, minutes',
  halves: 'Half days',
  isActive: 'Active',
  isAdmin: 'Administrator',
  isPrivate: 'Private',
  notAfter: 'Valid until',
  organizerId: 'Organiser',
  purgeAfter: 'Deleted for good after',
  requiresSecondFactor: 'Second factor required',
  scopes: 'Permissions',
  staffId: 'Person',
  until: 'Ends',
  userId: 'Person',
  vhostAliases: 'Aliases',
  validFrom: 'Valid from',
  validTo: 'Valid until',
  webServer: 'Web server',
  weeksAhead: 'Planned ahead, weeks',
}
const capitals = /\b(cdn|dns|hsts|https?|ids?|ip|php|sftp|ssl|tls|ttl|url)\b/gi

/** The label of a stored field: `departmentId` → "Department", `phpVersion` → "PHP version". */
export const fieldLabel = (field: string): string =>
  fields[field] ??
  plain(field.replace(/(?<=[a-z])Ids?$/, '')).replace(capitals, (word) => word.toUpperCase().replace(/^IDS$/, 'IDs'))

/** "Create website", "Sign in". */
export const actOf = ({ service, action, resource }: Pick<LogRow, 'service' | 'action' | 'resource'>): string =>
  own[`${service} ${action}`] ?? `${verbs[action] ?? plain(action)} ${plain(resource ?? service).toLowerCase()}`

/** The object of a log row: its name at that time, else its id. */
export const objectOf = ({ subject, resourceId }: Pick<LogRow, 'subject' | 'resourceId'>): string | undefined =>
  subject ?? (resourceId === null ? undefined : `#${resourceId}`)
