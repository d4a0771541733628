import { generated } from './generate.ts'
import { lint, MAX_SET } from './lint.ts'
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
/** What a browser puts in place of bytes that are not UTF-8. */
const UNREADABLE = '\u{fffd}'
/** Maximum number of records in a file; name servers cannot hold such a zone. */
const MOST_RECORDS = 200_000

/**
 * Reads a zone file (RFC 1035): $ORIGIN, $TTL, $GENERATE, parentheses, relative names, escapes, TXT with several strings,
 * comments, types and data by number (RFC 3597). Without $TTL the last stated TTL applies, or the one of negative answers in the SOA, like BIND.
 */
export function parseZoneFile(file: string, zone: string): Imported {
  const found: Found[] = []
  const skipped: Skipped[] = []
  let origin = zone
  let ttl: number | undefined
  let lastTtl: number | undefined
  let owner: string | undefined
  // other editors end lines with CR alone; a line that seemed to go on in a comment would be lost
  for (const line of expandedLines(file.replace(/\r\n?/g, '\n'))) {
    const skip = (why: string, managed?: true) => skipped.push(skippedLine(line, why, managed))
    if (found.length >= MOST_RECORDS) {
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
    if (line.words.some((word) => word.includes(UNREADABLE))) {
      skip('Letters that are not UTF-8: save the file as UTF-8')
      continue
    }
    if (isOrder) {
      const order = first.toUpperCase()
      const seconds = secondsOf(second)
      if (line.words.length > 2 && order !== '$INCLUDE') skip('Not understood')
      else if (order === '$ORIGIN' && second) origin = absolute(second, origin)
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
    else found.push({ entry: record.entry, line })
  }
  const { fitting, others } = sorted(onTtl(found), zone)
  skipped.push(...others.map(({ line, why }) => skippedLine(line, why)))
  return { entries: fitting.map(({ entry }) => entry), skipped: skipped.sort((a, b) => a.line - b.line) }
}

interface Found {
  entry: Entry
  line: Line
}
const skippedLine = ({ number, text }: Line, why: string, managed?: true): Skipped => ({
  ...{ line: number, text: text.slice(0, 200), why },
  ...(managed && { managed }),
})

/**
 * Tells the records that a zone cannot have beside the others of the file. Of a CNAME or ALIAS and the records of its name
 * the CNAME or ALIAS is refused.
 */
function sorted(found: readonly Found[], zone: string): { fitting: Found[]; others: (Found & { why: string })[] } {
  const others: (Found & { why: string })[] = []
  const without = (all: readonly Found[], whyNot: (one: Found, place: number) => string | undefined) =>
    all.filter((one, place) => {
      const why = whyNot(one, place)
      if (why !== undefined) others.push({ ...one, why })
      return why === undefined
    })
  const counts = new Map<string, number>()
  let fitting = without(found, ({ entry: { name, type } }) => {
    const count = (counts.get(`${name} ${type}`) ?? 0) + 1
    counts.set(`${name} ${type}`, count)
    return count > MAX_SET ? `More than ${MAX_SET} ${type} records for one name` : undefined
  })
  for (const isMeant of [({ type }: Entry) => type === 'CNAME' || type === 'ALIAS', () => true]) {
    const { problems } = lint(
      zone,
      [],
      fitting.map(({ entry }) => entry),
    )
    const whys = new Map(problems.flatMap(({ index, message }) => (index === null ? [] : [[index, message]])))
    if (!whys.size) break
    fitting = without(fitting, ({ entry }, place) => (isMeant(entry) ? whys.get(place) : undefined))
  }
  return { fitting, others }
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
function onTtl(found: readonly Found[]): Found[] {
  const ttls = new Map<string, number>()
  const key = ({ name, type }: Entry) => `${name} ${type}`
  for (const { entry } of found) ttls.set(key(entry), Math.min(entry.ttl, ttls.get(key(entry)) ?? entry.ttl))
  const seen = new Map<string, Found>()
  for (const { entry, line } of found) {
    const same = { ...entry, ttl: ttls.get(key(entry)) ?? entry.ttl }
    seen.set(`${key(same)} ${same.priority} ${same.content}`, { entry: same, line })
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
    return `${line.replace(/ALIAS .*$/s, `${aliasNumber} ${aliasData(entry.content)}`)} ; ALIAS ${entry.content}`
  })
  return [`$ORIGIN ${zone}.`, ...(soa ? [`${fullName('@', zone)}.\t3600\tIN\tSOA ${soa}`] : []), ...lines, ''].join(
    '\n',
  )
}
