import { fullName, readName } from './names.ts'
import { readContent } from './recordContent.ts'
import { type RecordType, recordTypes } from './recordTypes.ts'
import { nameOfNumber } from './typeNumbers.ts'

/** Types without a name here are written by their number (RFC 3597). */
export const numbered = /^TYPE(?:6553[0-5]|655[0-2]\d|65[0-4]\d\d|6[0-4]\d{3}|[1-5]\d{4}|[1-9]\d{0,3})$/

/** Maximum number of records of a zone. The tests of drivers publish and transfer 20,000. */
export const MAX_RECORDS = 50_000

/** TTL in seconds, up to the limit of DNS (RFC 2181, 8). 0: not cached at all. */
export const TTL = { min: 0, max: 2 ** 31 - 1, usual: 3600 }

/** A stored record: name within the zone, content in the format of the name server without priority. */
export interface Entry {
  name: string
  type: RecordType
  ttl: number
  priority: number | null
  content: string
}
/** A record as typed. */
export interface Typed {
  name: string
  type: string
  ttl: number
  priority?: number | null | undefined
  content: string
}
export type Problems = { [K in keyof Entry]?: string }

export const isType = (type: string): type is RecordType =>
  (recordTypes as readonly string[]).includes(type) || (numbered.test(type) && !nameOfNumber(Number(type.slice(4))))
/** Types whose content starts with a priority. */
export const hasPriority = (type: string): boolean => type === 'MX' || type === 'SRV'

/** Validates one typed record. Answers the stored form, or a problem per field. */
export function readRecord(typed: Typed, zone: string): { entry: Entry } | { problems: Problems } {
  const problems: Problems = {}
  const type = typed.type.trim().toUpperCase()
  const name = readName(typed.name, zone)
  if (name.problem) problems.name = name.problem
  if (!isType(type)) return { problems: { ...problems, type: whyNot(type) } }
  if (!Number.isInteger(typed.ttl) || typed.ttl < TTL.min || typed.ttl > TTL.max)
    problems.ttl = `Between ${TTL.min} and ${TTL.max} seconds`
  const { priority, rest } = priorityOf(type, typed)
  if (hasPriority(type) && (priority === null || !Number.isInteger(priority) || priority < 0 || priority > 65_535))
    problems.priority = 'Between 0 and 65535'
  if (!hasPriority(type) && typed.priority !== null && typed.priority !== undefined)
    problems.priority = `${type} has no priority`
  const content = readContent(type, rest, zone)
  if (content.problem) problems.content = content.problem
  if (content.value === '.' && type === 'MX' && priority !== 0) problems.priority = '“No mail here” has priority 0'
  if (name.value === undefined || content.value === undefined || Object.keys(problems).length) return { problems }
  return { entry: { name: name.value, type, ttl: typed.ttl, priority, content: content.value } }
}

function whyNot(type: string): string {
  if (type === 'SOA') return 'Innkeeper manages the SOA record'
  if (type === 'LUA') return 'LUA records are refused, because they run code on the name server'
  return type ? `${type.slice(0, 20)} is not a supported type` : 'Required'
}

/** Splits `10 mail.example.org` into priority and content, as zone files and many people write both in one field. */
function priorityOf(type: RecordType, typed: Typed): { priority: number | null; rest: string } {
  const rest = type === 'TXT' || type === 'SPF' ? typed.content : typed.content.trim()
  if (!hasPriority(type)) return { priority: null, rest }
  const words = rest.split(/\s+/)
  if (typeof typed.priority === 'number') return { priority: typed.priority, rest }
  const [first = '', ...others] = words
  const whole = words.length === (type === 'MX' ? 2 : 4) && /^\d{1,5}$/.test(first)
  return whole ? { priority: Number(first), rest: others.join(' ') } : { priority: null, rest }
}

/** Content in the format of the name server, including the priority. */
export const wireContent = ({ priority, content }: Pick<Entry, 'priority' | 'content'>): string =>
  priority === null ? content : `${priority} ${content}`

/** A record as one line of a zone file, for diffs and comparisons with name servers. */
export const lineOf = (entry: Entry, zone: string): string =>
  `${fullName(entry.name, zone)}. ${entry.ttl} ${entry.type} ${wireContent(entry)}`

/** Compares serials by RFC 1982, also across the end of 32 bits. */
export const isLater = (a: number, b: number): boolean => {
  const ahead = (a - b) >>> 0
  return ahead > 0 && ahead < 0x8000_0000
}
/** The next serial. Skips 0, which some name servers treat as unset. */
export const nextSerial = (serial: number): number => (serial + 1) >>> 0 || 1
