import { generated } from './generate.ts'
import { fullName } from './names.ts'
import { decoded } from './numberedData.ts'
import { type Entry, lineOf, type Problems, readRecord, TTL } from './records.ts'
import { absolute, contentOf, readLine, secondsOf } from './zoneLine.ts'
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
    // without a gateway; PowerDNS has no dot there
    if (entry.type === 'IPSECKEY') return line.replace(/(IPSECKEY \d+ 0 \d+) /, '$1 . ')
    if (entry.type !== 'ALIAS') return line
    return `${line.replace(/ALIAS .*$/, `${aliasNumber} ${aliasData(entry.content)}`)} ; ALIAS ${entry.content}`
  })
  return [`$ORIGIN ${zone}.`, ...(soa ? [`${fullName('@', zone)}.\t3600\tIN\tSOA ${soa}`] : []), ...lines, ''].join(
    '\n',
  )
}
