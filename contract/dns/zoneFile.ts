import { fullName } from './names.ts'
import { type Entry, lineOf, type Problems, readRecord, TTL } from './records.ts'
import { quoted, unquote } from './txt.ts'
import { type Line, linesOf } from './zoneLines.ts'

export interface Skipped {
  line: number
  text: string
  why: string
}
export interface Imported {
  entries: Entry[]
  /** Lines that were left out, and why: SOA, types that are not kept here, what lies outside. */
  skipped: Skipped[]
}
const classes = ['IN', 'CH', 'HS']
/** SOA is Innkeeper's own; what signs a zone is made anew by the name server. */
const ours = ['SOA', 'RRSIG', 'DNSKEY', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'CDS', 'CDNSKEY', 'ZONEMD']

/**
 * A zone file (RFC 1035): $ORIGIN, $TTL, parentheses, relative names, escapes, several strings of a TXT, comments. Without
 * $TTL the last one that was said holds, or that of negative answers in the SOA, as BIND reads it.
 */
export function parseZoneFile(file: string, zone: string): Imported {
  const entries: Entry[] = []
  const skipped: Skipped[] = []
  let origin = zone
  let ttl: number | undefined
  let lastTtl: number | undefined
  let owner: string | undefined
  for (const line of linesOf(file)) {
    const skip = (why: string) => skipped.push({ line: line.number, text: line.text.slice(0, 200), why })
    const [first = '', second = ''] = line.words
    const isOrder = first.startsWith('$')
    // also of a line that is left out: what follows it is of its name
    if (!line.indented && !isOrder && first) owner = absolute(first, origin)
    if (line.broken) {
      skip(line.broken)
      continue
    }
    if (isOrder) {
      const order = first.toUpperCase()
      const seconds = secondsOf(second)
      if (order === '$ORIGIN' && second) origin = absolute(second, origin)
      else if (order === '$TTL' && seconds !== undefined) ttl = seconds
      else skip(order === '$INCLUDE' || order === '$GENERATE' ? `${order} is not followed` : 'Not understood')
      continue
    }
    if (owner === undefined) {
      skip('The first record has no name')
      continue
    }
    const read = readLine(line)
    if (typeof read === 'string') {
      skip(read)
      continue
    }
    if (read.type === aliasNumber) Object.assign(read, { type: 'ALIAS', data: [aliasTarget(read.data)] })
    const own = read.ttl ?? ttl ?? lastTtl
    lastTtl = read.ttl ?? lastTtl
    if (read.type === 'SOA' && own === undefined) ttl = secondsOf(read.data.at(-1) ?? '')
    if (ours.includes(read.type)) {
      skip(read.type === 'SOA' ? 'Innkeeper keeps the SOA itself' : `${read.type} is made by the name server`)
      continue
    }
    const typed = {
      name: `${owner}.`,
      type: read.type,
      ttl: own ?? TTL.usual,
      content: contentOf(read.type, read.data, origin),
    }
    const record = readRecord(typed, zone)
    if ('problems' in record) skip(inWords(record.problems))
    else entries.push(record.entry)
  }
  return { entries: onTtl(entries), skipped }
}

interface Row {
  ttl?: number
  type: string
  data: string[]
}

/** `[name] [ttl] [class] type data…`, ttl and class in either order. */
function readLine({ words, indented }: Line): Row | string {
  const rest = indented ? [...words] : words.slice(1)
  let ttl: number | undefined
  for (let n = 0; n < 2; n++) {
    const [next = ''] = rest
    const seconds = secondsOf(next)
    if (seconds !== undefined && ttl === undefined) ttl = seconds
    else if (!classes.includes(next.toUpperCase())) break
    else if (next.toUpperCase() !== 'IN') return `The class ${next} is not kept`
    rest.shift()
  }
  const type = rest.shift()?.toUpperCase()
  if (!type || !/^[A-Z][A-Z0-9-]{0,19}$/.test(type)) return 'No type is named'
  return { ttl, type, data: rest }
}

/** A name with its origin, in lower case and without the last dot; the root, which BIND itself begins files with, is ''. */
function absolute(name: string, origin: string): string {
  const text = name.replace(/\\(?:(\d{3})|([^\d]))/g, unescaped).toLowerCase()
  if (text === '@') return origin
  if (text.endsWith('.')) return text.slice(0, -1)
  return origin ? `${text}.${origin}` : text
}

/** A letter may stand by its number, `\119`; what is none, such as a dot within a label, stays as it is and is refused. */
function unescaped(whole: string, code?: string, sign?: string): string {
  const letter = code === undefined ? sign : String.fromCharCode(Number(code))
  return letter !== undefined && /^[\w-]$/.test(letter) ? letter : whole
}

/** Where a name stands in the data it is made whole: `mail` is relative to the origin, not to the zone. */
function contentOf(type: string, data: string[], origin: string): string {
  // a word without quotation marks has escapes too
  if (type === 'TXT') return (unquote(data.join(' ')) ?? []).map(quoted).join(' ')
  const names = ['CNAME', 'NS', 'PTR', 'ALIAS', 'MX', 'SRV']
  if (!names.includes(type)) return data.join(' ')
  const last = data.at(-1) ?? ''
  const whole = last === '.' ? '.' : `${absolute(last, origin)}.`
  return [...data.slice(0, -1), whole].join(' ')
}

/** `3600`, or as BIND reads it: `1h30m`, `2d`. */
function secondsOf(text: string): number | undefined {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  if (!/^(?:\d{1,6}[smhdw])+$/i.test(text)) return undefined
  const each = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
  return [...text.toLowerCase().matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * each[unit as keyof typeof each], // the pattern has no other letter
    0,
  )
}

const inWords = (problems: Problems): string =>
  Object.entries(problems)
    .map(([field, why]) => `${field}: ${why}`)
    .join('; ')

/** One TTL for all of a set (RFC 2181): the shortest that the file has. A record that stands there twice stands once. */
function onTtl(entries: Entry[]): Entry[] {
  const ttls = new Map<string, number>()
  const key = ({ name, type }: Entry) => `${name} ${type}`
  for (const entry of entries) ttls.set(key(entry), Math.min(entry.ttl, ttls.get(key(entry)) ?? entry.ttl))
  const seen = new Map<string, Entry>()
  for (const entry of entries) {
    const same = { ...entry, ttl: ttls.get(key(entry)) ?? entry.ttl }
    seen.set(`${key(same)} ${same.priority} ${same.content}`, same)
  }
  return [...seen.values()]
}

/**
 * ALIAS by its number in PowerDNS (RFC 3597): by its name no other software reads a file that has one. Its data is a name,
 * each label behind its length.
 */
const aliasNumber = 'TYPE65401'
function aliasData(target: string): string {
  const labels = target === '.' ? [''] : target.split('.')
  const bytes = labels.flatMap((label) => [label.length, ...new TextEncoder().encode(label)])
  return `\\# ${bytes.length} ${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
function aliasTarget(data: readonly string[]): string {
  const [mark, , ...hex] = data
  if (mark !== '\\#') return data.join(' ')
  const bytes = (hex.join('').match(/../g) ?? []).map((two) => Number.parseInt(two, 16))
  const labels: string[] = []
  for (let at = 0; bytes[at]; at += 1 + (bytes[at] ?? 0))
    labels.push(String.fromCharCode(...bytes.slice(at + 1, at + 1 + (bytes[at] ?? 0))))
  return `${labels.join('.')}.`
}

/** The zone as others read it. `soa` is what the name server answers, absent for one that is on none. */
export function writeZoneFile(zone: string, soa: string | null, entries: readonly Entry[]): string {
  const lines = entries.map((entry) => {
    const line = lineOf(entry, zone).replace(/^(\S+) (\d+) /, '$1\t$2\tIN\t')
    if (entry.type !== 'ALIAS') return line
    return `${line.replace(/ALIAS .*$/, `${aliasNumber} ${aliasData(entry.content)}`)} ; ALIAS ${entry.content}`
  })
  return [`$ORIGIN ${zone}.`, ...(soa ? [`${fullName('@', zone)}.\t3600\tIN\tSOA ${soa}`] : []), ...lines, ''].join(
    '\n',
  )
}
