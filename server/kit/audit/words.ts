/**
 * Resources whose rows quote what customers say, or what people write about staff. The log keeps rows for ever, and
 * people read the log without the permission to read conversations or dossiers. Decision 118.
 */
const worded: Readonly<Record<string, readonly string[]>> = {
  qa: ['chat', 'ticket', 'comment', 'note', 'escalation', 'feedback', 'calibration'],
  dossier: ['user', 'dossier', 'comment', 'chat-comment', 'ticket-comment', 'feedback', 'talk'],
}
/** Services of calls that need only a session: their rows have no resource. */
const wordedServices: readonly string[] = ['qcMine', 'dossiers']

/** Texts of these rows that the log shows: states, names of settings and of staff, and why a call failed. */
const shown = new Set([
  ...['kind', 'type', 'on', 'status', 'state', 'priority', 'origin', 'outcome', 'population', 'visibility', 'category'],
  ...['queuedBy', 'conversationKind', 'externalId', 'mergedInto', 'sourceName', 'departmentName', 'typeName'],
  ...['gradeName', 'colour', 'team', 'position', 'subjectName', 'erasedBecause', 'error'],
])
const time = /^\d{4}-\d\d-\d\d(T[\d:.]{5,15}(Z|[+-]\d\d:?\d\d)?)?$/

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
