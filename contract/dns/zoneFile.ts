import { generated } from './generate.ts'
import { fullName } from './names.ts'
import { decoded } from './numberedData.ts'
import { type Entry, lineOf, type Problems, readRecord, TTL } from './records.ts'
import { quoted, unquote } from './txt.ts'
import { type Line, linesOf } from './zoneLines.ts'

export interface Skipped {
  line: number
  text: string
  why: string
  /** True: Innkeeper or the name server makes the record itself, so nothing is lost. */
  managed?: true
}
export interface Imported {
  entries: Entry[]
  /** Skipped lines with the reason: managed records, and records that cannot be kept. */
  skipped: Skipped[]
}
const classes = ['IN', 'CH', 'HS']
/** Types that a zone file may contain but Innkeeper or the name server manages: SOA and DNSSEC records. */
const ours = ['SOA', 'RRSIG', 'DNSKEY', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'CDS', 'CDNSKEY', 'ZONEMD']
/** Maximum number of records in a file; name servers cannot hold such a zone. */
const MOST_RECORDS = 200_000

/**
 * Reads a zone file (RFC 1035): $ORIGIN, $TTL, $GENERATE, parentheses, relative names, escapes, TXT with several strings,
 * comments, types and data by number (RFC 3597). Without $TTL the last stated TTL applies, or the one of negative answers in the SOA, like BIND.
 */
export function parseZoneFile(file: string, zone: string): Imported {
  const entries: Entry[] = []
  const skipped: Skipped[] = []
  let origin = zone
  let ttl: number | undefined
  let lastTtl: number | undefined
  let owner: string | undefined
  for (const line of expandedLines(file)) {
    const skip = (why: string, managed?: true) =>
      skipped.push({ line: line.number, text: line.text.slice(0, 200), why, ...(managed && { managed }) })
    if (entries.length >= MOST_RECORDS) {
      skip(`More than ${MOST_RECORDS} records`)
      break
    }
    const [first = '', second = ''] = line.words
    const isOrder = first.startsWith('$')
    // also for skipped lines, because the next line may omit the name
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
      else skip(order === '$INCLUDE' ? 'Another file: paste its content in place of this line' : 'Not understood')
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
    const own = read.ttl ?? ttl ?? lastTtl
    lastTtl = read.ttl ?? lastTtl
    if (read.type === 'SOA' && own === undefined) ttl = secondsOf(read.data.at(-1) ?? '')
    if (ours.includes(read.type)) {
      skip(
        read.type === 'SOA' ? 'Innkeeper manages the SOA record' : `${read.type} is created by the name server`,
        true,
      )
      continue
    }
    const usual = decoded(read.type, read.data)
    if (!usual) {
      skip(`The bytes of this ${read.type} record cannot be read`)
      continue
    }
    const typed = {
      name: `${owner}.`,
      type: usual.type,
      ttl: own ?? TTL.usual,
      content: contentOf(usual.type, usual.data, origin),
    }
    const record = readRecord(typed, zone)
    if ('problems' in record) skip(inWords(record.problems))
    else entries.push(record.entry)
  }
  return { entries: onTtl(entries), skipped }
}

/** The lines of a file, with `$GENERATE` replaced by its lines. */
function* expandedLines(file: string): Generator<Line> {
  for (const line of linesOf(file)) {
    const lines = line.words[0]?.toUpperCase() === '$GENERATE' && !line.broken ? generated(line.words) : undefined
    if (lines === undefined) yield line
    else if (typeof lines === 'string') yield { ...line, broken: lines }
    else for (const text of lines) for (const made of linesOf(text)) yield { ...made, number: line.number }
  }
}

interface Row {
  ttl?: number
  type: string
  data: string[]
}

/** Parses `[name] [ttl] [class] type data…`, with TTL and class in either order. */
function readLine({ words, indented }: Line): Row | string {
  const rest = indented ? [...words] : words.slice(1)
  let ttl: number | undefined
  for (let n = 0; n < 2; n++) {
    const [next = ''] = rest
    const seconds = secondsOf(next)
    if (seconds !== undefined && ttl === undefined) ttl = seconds
    else if (!classes.includes(next.toUpperCase())) break
    else if (next.toUpperCase() !== 'IN') return `The class ${next} is not supported`
    rest.shift()
  }
  const type = rest.shift()?.toUpperCase()
  if (!type || !/^[A-Z][A-Z0-9-]{0,19}$/.test(type)) return 'The record type is missing'
  return { ttl, type, data: rest }
}

/**
 * Completes a name with its origin, in lower case and without the final dot. The root, with which BIND starts its
 * files, is ''.
 */
function absolute(name: string, origin: string): string {
  const text = name.replace(/\\(?:(\d{3})|([^\d]))/g, unescaped).toLowerCase()
  if (text === '@') return origin
  if (/(?<!\\)\.$/.test(text)) return text.slice(0, -1)
  return origin ? `${text}.${origin}` : text
}

/**
 * Decodes escapes such as `\119`. Characters that cannot be in a label, such as a dot, stay escaped and are refused
 * later.
 */
function unescaped(whole: string, code?: string, sign?: string): string {
  const letter = code === undefined ? sign : String.fromCharCode(Number(code))
  if (letter === '.') return '\\.'
  return letter !== undefined && /^[\w/+=~#&%*!-]$/.test(letter) ? letter : whole
}

/** Completes names in the data of a record: `mail` is relative to the origin, not to the zone. */
function contentOf(type: string, data: string[], origin: string): string {
  // unquoted words may contain escapes too
  if (type === 'TXT' || type === 'SPF') return (unquote(data.join(' ')) ?? []).map(quoted).join(' ')
  return data.map((word, i) => (isName(type, i) ? (word === '.' ? '.' : `${absolute(word, origin)}.`) : word)).join(' ')
}

/** Positions of the names in the data of a record. */
const places: Readonly<Record<string, readonly number[]>> = {
  ...{ CNAME: [0], NS: [0], PTR: [0], ALIAS: [0], DNAME: [0], MX: [1], AFSDB: [1], KX: [1], LP: [1], SRV: [3] },
  ...{ SVCB: [1], HTTPS: [1], NAPTR: [5], RP: [0, 1], MINFO: [0, 1] },
}
const isName = (type: string, place: number): boolean => places[type]?.includes(place) ?? false

/** A TTL in seconds from `3600`, `1h30m` or `2d`. */
function secondsOf(text: string): number | undefined {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  if (!/^(?:\d{1,6}[smhdw])+$/i.test(text)) return undefined
  const each = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
  return [...text.toLowerCase().matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * each[unit as keyof typeof each], // the pattern allows no other letter
    0,
  )
}

const inWords = (problems: Problems): string =>
  Object.entries(problems)
    .map(([field, why]) => `${field}: ${why}`)
    .join('; ')

/** Gives all records of a set the shortest TTL of the file (RFC 2181) and removes duplicates. */
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
 * Writes ALIAS by its type number in PowerDNS (RFC 3597), because other software cannot read a file with its name. The
 * data is the target in wire format.
 */
const aliasNumber = 'TYPE65401'
function aliasData(target: string): string {
  const labels = target === '.' ? [''] : target.split('.')
  const bytes = labels.flatMap((label) => [label.length, ...new TextEncoder().encode(label)])
  return `\\# ${bytes.length} ${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Writes a zone file for other software. `soa` is the answer of the name server; absent if no server has the zone. */
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
