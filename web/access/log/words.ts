import type { LogRow } from '@innkeeper/contract/access/log'
import { ownLabels } from './labels.ts'

/** Acts whose word needs another one between it and the object. */
const verbs: Record<string, string> = {
  ...{ status: 'Set the status of', setStatus: 'Set the status of', php: 'Change PHP of', phpOfMany: 'Change PHP of' },
  ...{ reveal: 'Show the password of', changePassword: 'Enter the password of', password: 'Set the password of' },
  ...{
    setPassword: 'Set the password of',
    newPassword: 'Make a password of',
    removePassword: 'Remove the password of',
  },
  ...{ look: 'Open', read: 'See', owner: 'Change the owner of', plan: 'Change the plan of' },
  ...{
    comment: 'Comment on',
    note: 'Write a note on',
    updateTalk: 'Change a comment on',
    removeTalk: 'Delete a comment on',
  },
  ...{ attach: 'Attach files to', removeFiles: 'Delete files of', 'delete-files': 'Delete files of' },
  ...{ settings: 'Change settings of', updateFileConfig: 'Change file settings of', wildcard: 'Set the wildcard of' },
  ...{ setRules: 'Change rules of', rules: 'Change rules of', toggle: 'Turn on or off' },
  ...{ bringBack: 'Bring back', archiveItem: 'Archive' },
  ...{ 'force-logout': 'Sign out', 'grant-access': 'Give access to', revoke: 'Revoke' },
  ...{
    'review-update': 'Change review of',
    'review-delete': 'Delete review of',
    'review-restore': 'Restore review of',
  },
  ...{ 'review-cancellation': 'Decide the cancellation of', postpone: 'Postpone review of', undo: 'Undo changes of' },
  ...{ 'delete-lock': 'Remove a lock of', enqueue: 'Queue', dropSecondFactor: 'Remove the second factor of' },
  ...{
    'schedule-forget': 'Schedule forgetting in',
    'schedule-prune': 'Schedule pruning of',
    bulk: 'Change several of',
  },
  ...{ 'retry-action': 'Retry an action of', retryStopped: 'Retry an action of', 'add-key': 'Add a key to' },
  ...{ 'remove-key': 'Remove a key of', escalationStatus: 'Set the status of', feedbackStatus: 'Set the status of' },
  ...{ again: 'Send again', group: 'Move', custom: 'Upload', selfSigned: 'Make a self-signed', cutOver: 'Cut over' },
  ...{ letsEncrypt: 'Ask Let’s Encrypt for a', rollBack: 'Roll back', revertImport: 'Revert an import into' },
  ...{
    signUp: 'Sign up for',
    signWith: 'Choose the signing key of',
    putBack: 'Put back rows of',
    addPhp: 'Add PHP to',
  },
  ...{ removeReview: 'Delete review of', restoreReview: 'Restore review of', inviteMany: 'Invite', invite: 'Invite' },
  ...{ fetchLate: 'Fetch late mail of', stopLate: 'Stop late mail of', lookAgain: 'Look again at' },
  ...{ 'remove-password': 'Remove the password of', dismissAll: 'Clear', dismiss: 'Clear part of' },
}
/** Objects whose stored name is the name of a right or of a table. */
const nouns: Record<string, string> = {
  manager: '',
  passkeys: 'passkey',
  views: 'view',
  apiTokens: 'API token',
  cert: 'certificate',
  configs: 'configuration',
  set: 'IP set',
  repo: 'repository',
  own: 'own backup',
  sftp: 'SFTP access',
  cdn: 'CDN',
  xdn: 'XDN',
  cron: 'cron filter',
  migrations: 'move',
  logs: 'log',
  'php-module': 'PHP module',
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

/** "Create website", "Add template of zone", "Sign in". */
export function actOf({ service, action, resource }: Pick<LogRow, 'service' | 'action' | 'resource'>): string {
  const known = ownLabels[resource === null ? `${service} ${action}` : `${service} ${action} ${resource}`]
  if (known) return known
  const verb = verbs[action] ?? plain(action)
  const thing = resource ?? service
  const noun = nouns[thing] ?? plain(thing).toLowerCase()
  // an act of several words names its object itself
  const isNamed = !verbs[action] && /[a-z][A-Z]/.test(action)
  if (!noun || (isNamed && (resource === null || verb.toLowerCase().includes(noun)))) return verb
  return isNamed ? `${verb} of ${noun}` : `${verb} ${noun}`
}

/** The object of a log row: its name at that time, else its id. */
export const objectOf = ({ subject, resourceId }: Pick<LogRow, 'subject' | 'resourceId'>): string | undefined =>
  subject ?? (resourceId === null ? undefined : `#${resourceId}`)
