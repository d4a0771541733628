import { HIDDEN } from './change.ts'

/**
 * Resources whose rows quote what customers say, or what people write about staff. The log keeps rows for ever, and
 * people read the log without the permission to read conversations or dossiers. Decision 118.
 */
const worded: Readonly<Record<string, readonly string[]>> = {
  qa: ['chat', 'ticket', 'comment', 'note', 'escalation', 'feedback', 'calibration'],
  dossier: ['user', 'dossier', 'comment', 'chat-comment', 'ticket-comment', 'feedback', 'talk'],
}
/** Services of calls that need only a session: their rows have no resource, or one that belongs to one person. */
const wordedServices: readonly string[] = ['qcMine', 'dossiers', 'notifications', 'views']

/** Texts of these rows that the log shows: states, names of settings and of staff, and why a call failed. */
const shown = new Set([
  ...['kind', 'type', 'on', 'status', 'state', 'priority', 'origin', 'outcome', 'population', 'visibility', 'category'],
  ...['queuedBy', 'conversationKind', 'externalId', 'mergedInto', 'sourceName', 'departmentName', 'typeName'],
  ...['gradeName', 'colour', 'team', 'position', 'subjectName', 'erasedBecause', 'error'],
])
const time = /^\d{4}-\d\d-\d\d(T[\d:.]{5,15}(Z|[+-]\d\d:?\d\d)?)?$/

/**
 * Fields of other resources, by service, that a permission of their own or their owner guards. The log shows that they
 * changed, and not their values.
 */
const personal: Readonly<Record<string, readonly string[]>> = {
  calendar: ['content', 'note', 'message', 'description'],
  employee: ['phone', 'birthDate', 'email'],
  profiles: ['quietHours', 'deliveries'],
  shifts: ['note', 'message'],
  sms: ['body', 'to', 'number', 'note'],
  users: ['email'],
}
/** Settings of these services, which everybody who works with them reads. */
const open: readonly string[] = ['template', 'national-event']

interface About {
  service: string
  resource: string | null
}

/** Whether rows about this resource may quote conversations or dossiers. */
export const isWorded = ({ service, resource }: About): boolean =>
  wordedServices.includes(service) || (resource !== null && worded[service]?.includes(resource) === true)

/** A copy in which each text that may quote somebody is replaced by its length. */
export function withoutWords(value: unknown, key = ''): unknown {
  if (typeof value === 'string')
    return value === '' || shown.has(key) || time.test(value) ? value : `(${value.length} characters)`
  if (Array.isArray(value)) return value.map((one) => withoutWords(one, key))
  if (typeof value !== 'object' || value === null) return value
  const hasName = 'id' in value // people, tags and settings; files have a name, but no id
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, hasName && name === 'name' ? held : withoutWords(held, name)]),
  )
}

/** A copy without the values of personal fields, for the log row of this resource. */
export function withoutPersonal({ service, resource }: About, value: unknown): unknown {
  const fields = resource !== null && open.includes(resource) ? undefined : personal[service]
  const copy = (held: unknown): unknown => {
    if (Array.isArray(held)) return held.map(copy)
    if (typeof held !== 'object' || held === null) return held
    return Object.fromEntries(
      Object.entries(held).map(([name, one]) => [name, fields?.includes(name) && !isEmpty(one) ? HIDDEN : copy(one)]),
    )
  }
  return fields ? copy(value) : value
}

const isEmpty = (held: unknown) => held === null || held === '' || held === undefined
