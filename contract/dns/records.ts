import { isIPv4, isIPv6, readCaa, readDigest } from './contents.ts'
import { fullName, type Read, readName, readTarget } from './names.ts'
import { quoteTxt } from './txt.ts'

/** What people may put into a zone. SOA is ours: its serial only rises. LUA would run code on the name server. */
export const recordTypes = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'TXT',
  'SRV',
  'CAA',
  'NS',
  'PTR',
  'TLSA',
  'SSHFP',
  'ALIAS',
  'DS',
] as const
export type RecordType = (typeof recordTypes)[number]

/** Seconds. Four weeks is more than any resolver keeps. */
export const TTL = { min: 1, max: 2_419_200, usual: 3600 }

/** A record as it is kept: its name below the zone, its content as the name server writes it, without the priority. */
export interface Entry {
  name: string
  type: RecordType
  ttl: number
  priority: number | null
  content: string
}
/** As it is typed. */
export interface Typed {
  name: string
  type: string
  ttl: number
  priority?: number | null | undefined
  content: string
}
export type Problems = { [K in keyof Entry]?: string }

const isType = (type: string): type is RecordType => (recordTypes as readonly string[]).includes(type)
/** Types whose content begins with a priority. */
export const hasPriority = (type: string): boolean => type === 'MX' || type === 'SRV'

/** One record by itself, in the form that it is kept in; or what is wrong with each of its fields. */
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
    problems.priority = `${type} has none`
  const content = contents[type](rest, zone)
  if (content.problem) problems.content = content.problem
  if (content.value === '.' && type === 'MX' && priority !== 0) problems.priority = '“No mail here” has priority 0'
  if (name.value === undefined || content.value === undefined || Object.keys(problems).length) return { problems }
  return { entry: { name: name.value, type, ttl: typed.ttl, priority, content: content.value } }
}

function whyNot(type: string): string {
  if (type === 'SOA') return 'Innkeeper keeps the SOA record itself, so that its serial only rises'
  if (type === 'LUA') return 'LUA records run code on the name server: they are refused'
  return type ? `${type.slice(0, 20)} is not a type that can be kept here` : 'Required'
}

/** `10 mail.example.org` in one field, as zone files and many people write it. */
function priorityOf(type: RecordType, typed: Typed): { priority: number | null; rest: string } {
  const rest = type === 'TXT' ? typed.content : typed.content.trim()
  if (!hasPriority(type)) return { priority: null, rest }
  const words = rest.split(/\s+/)
  if (typeof typed.priority === 'number') return { priority: typed.priority, rest }
  const [first = '', ...others] = words
  const whole = words.length === (type === 'MX' ? 2 : 4) && /^\d{1,5}$/.test(first)
  return whole ? { priority: Number(first), rest: others.join(' ') } : { priority: null, rest }
}

const target = (text: string, zone: string): Read<string> => readTarget(text, zone)
const contents: Record<RecordType, (text: string, zone: string) => Read<string>> = {
  A: (text) => (isIPv4(text) ? { value: text } : { problem: 'An IPv4 address, such as 192.0.2.10' }),
  AAAA: (text) => {
    const value = isIPv6(text)
    return value ? { value } : { problem: 'An IPv6 address, such as 2001:db8::10' }
  },
  CNAME: target,
  NS: target,
  PTR: target,
  ALIAS: target,
  MX: (text, zone) => readTarget(text, zone, true),
  TXT: (text) => quoteTxt(text),
  SRV: (text, zone) => {
    const [weight = '', port = '', host, ...more] = text.split(/\s+/)
    if (host === undefined || more.length) return { problem: 'Weight, port and target: 0 5060 sip.example.org' }
    if (![weight, port].every((n) => /^\d{1,5}$/.test(n) && Number(n) <= 65_535))
      return { problem: 'Weight and port lie between 0 and 65535' }
    const to = readTarget(host, zone, true)
    return to.value === undefined ? to : { value: `${Number(weight)} ${Number(port)} ${to.value}` }
  },
  CAA: readCaa,
  TLSA: (text) => readDigest('TLSA', text),
  SSHFP: (text) => readDigest('SSHFP', text),
  DS: (text) => readDigest('DS', text),
}

/** The content as the name server has it, the priority in it. */
export const wireContent = ({ priority, content }: Pick<Entry, 'priority' | 'content'>): string =>
  priority === null ? content : `${priority} ${content}`

/** One line of a zone: what is compared between the database and a name server, and shown in a diff. */
export const lineOf = (entry: Entry, zone: string): string =>
  `${fullName(entry.name, zone)}. ${entry.ttl} ${entry.type} ${wireContent(entry)}`

/** RFC 1982: is serial `a` later than `b`, around the end of 32 bits? */
export const isLater = (a: number, b: number): boolean => {
  const ahead = (a - b) >>> 0
  return ahead > 0 && ahead < 0x8000_0000
}
/** The next serial; 0 is skipped, some servers take it for none. */
export const nextSerial = (serial: number): number => (serial + 1) >>> 0 || 1
