import { forgottenDot } from './finalDot.ts'
import { fullName } from './names.ts'
import type { Entry } from './records.ts'

/** A problem of a zone as a whole, with its record and field. `index` is a position among the created records. */
export interface Finding {
  index: number | null
  field: keyof Entry | null
  message: string
}
export interface Lint {
  problems: Finding[]
  warnings: Finding[]
}

/** Types that the parent zone answers for a delegated name. */
const delegating: ReadonlySet<string> = new Set(['NS', 'DS'])

/** Maximum number of records of one name and type. */
export const MAX_SET = 200

/** The names above a name within its zone, the nearest first and the zone itself (`@`) last. */
export function namesAbove(name: string): string[] {
  if (name === '@') return []
  const labels = name.split('.')
  return [...labels.slice(1).map((_, n) => labels.slice(n + 1).join('.')), '@']
}

/**
 * Validates the record sets that a change affects, in their state after the change. `stays`: unchanged records of the
 * same names, of the names above them, and NS records that point to them. `made`: created records. `signed`: the zone
 * uses DNSSEC. `names`: if a DNAME is created, the names of all unchanged records. Problems refuse the change; warnings
 * are shown before saving.
 */
export function lint(
  zone: string,
  stays: readonly Entry[],
  made: readonly Entry[],
  signed = false,
  names: readonly string[] = [],
): Lint {
  const problems: Finding[] = []
  const warnings: Finding[] = []
  const all = [...stays, ...made]
  const byName = Map.groupBy(all, ({ name }) => name)
  const hasType = (name: string, type: string) => byName.get(name)?.some((one) => one.type === type)
  const servers = new Set(all.flatMap(({ type, content }) => (type === 'NS' ? [content] : [])))
  const below = new Map(names.flatMap((name) => namesAbove(name).map((above) => [above, name])))
  for (const [index, entry] of made.entries()) {
    const problem = (field: keyof Entry, message: string) => problems.push({ index, field, message })
    const warn = (message: string) => warnings.push({ index, field: null, message })
    const beside = (byName.get(entry.name) ?? []).filter((other) => other !== entry)
    const set = beside.filter(({ type }) => type === entry.type)
    const where = fullName(entry.name, zone)
    if (set.some(({ content, priority }) => content === entry.content && priority === entry.priority))
      problem('content', `Exists already, as ${entry.type} of ${where}`)
    else if (set.some(({ ttl }) => ttl !== entry.ttl))
      problem('ttl', `All ${entry.type} records of ${where} share one TTL: the others have ${set[0]?.ttl}`)
    if (entry.type === 'CNAME' && entry.name === '@')
      problem('type', `${zone} itself has NS and SOA records, which a CNAME cannot stand beside: use ALIAS`)
    else if (entry.type === 'CNAME' && beside.length)
      problem('type', `${where} has other records, which a CNAME does not allow`)
    else if (entry.type !== 'CNAME' && beside.some(({ type }) => type === 'CNAME'))
      problem('type', `${where} is a CNAME, which allows no other records`)
    if (entry.type === 'DNAME' && set.length) problem('type', `${where} has a DNAME already: a name can have only one`)
    const under = entry.type === 'DNAME' && below.get(entry.name)
    if (under) problem('type', `${fullName(under, zone)} exists: a name with a DNAME has no names below it`)
    const above = namesAbove(entry.name)
    const led = above.find((name) => hasType(name, 'DNAME'))
    if (led) problem('name', `${where} is below ${fullName(led, zone)}, whose DNAME leads all names below it elsewhere`)
    const cut = above.findLast((name) => name !== '@' && hasType(name, 'NS'))
    const isGlue = (entry.type === 'A' || entry.type === 'AAAA') && servers.has(`${where}.`)
    if (cut && !isGlue)
      warn(`${where} is below ${fullName(cut, zone)}, which is delegated: this zone does not answer its ${entry.type}`)
    if (entry.type === 'ALIAS' && signed)
      problem(
        'type',
        `${zone} is signed, and only the primary could sign the addresses of an ALIAS: use A and AAAA records`,
      )
    if (entry.type === 'ALIAS' && beside.some(({ type }) => type === 'A' || type === 'AAAA'))
      problem('type', `${where} has A or AAAA records, which an ALIAS replaces`)
    if ((entry.type === 'A' || entry.type === 'AAAA') && beside.some(({ type }) => type === 'ALIAS'))
      problem('type', `${where} is an ALIAS, which already answers addresses`)
    if (entry.type === 'DS' && entry.name === '@') problem('name', 'The DS record of a zone belongs in its parent zone')
    if (entry.type === 'DS' && entry.name !== '@' && !beside.some(({ type }) => type === 'NS'))
      problem('name', `${where} is not delegated: add its NS records first`)
    if (set.length >= MAX_SET) problem('name', `More than ${MAX_SET} ${entry.type} records for one name`)
    for (const message of warningsOf(entry, set, byName, zone)) warn(message)
  }
  if (!(byName.get('@') ?? []).some(({ type }) => type === 'NS'))
    problems.push({ index: null, field: null, message: `${zone} would have no name server` })
  return { problems, warnings }
}

const tags = ['issue', 'issuewild', 'iodef', 'contactemail', 'contactphone', 'issuemail', 'issuevmc']
function* warningsOf(entry: Entry, set: Entry[], byName: Map<string, Entry[]>, zone: string): Generator<string> {
  const where = fullName(entry.name, zone)
  const dot = forgottenDot(entry, zone)
  if (dot) yield dot
  if (entry.name.split('.').some((part) => part.startsWith('-') || part.endsWith('-')))
    yield `${where}: many programs refuse a name that starts or ends with -`
  if (entry.type === 'CAA' && !tags.includes(entry.content.split(' ')[1] ?? ''))
    yield `${where}: ${entry.content.split(' ')[1]} is not a tag that authorities know: usual are issue, issuewild and iodef`
  if (entry.ttl < 60) yield `${where}: a TTL of ${entry.ttl} s makes resolvers ask very often`
  if (entry.ttl > 604_800)
    yield `${where}: caches keep old answers for ${Math.round(entry.ttl / 86_400)} days after a change`
  if (['A', 'AAAA', 'MX'].includes(entry.type) && entry.name.includes('_'))
    yield `${where}: many programs refuse host names with _`
  const spf = ({ type, content }: Entry) => type === 'TXT' && content.startsWith('"v=spf1')
  if (spf(entry) && set.some(spf)) yield `${where}: two SPF records make both invalid`
  if (entry.name !== '@') {
    const all = byName.get(entry.name) ?? []
    const own = [...new Set(all.map(({ type }) => type))].filter((type) => !delegating.has(type))
    if (entry.type === 'NS') {
      yield `${where}: names below are answered by ${entry.content}`
      if (own.length) yield `${where}: its own ${own.join(' and ')} is answered there too, no longer by this zone`
    } else if (!delegating.has(entry.type) && all.some(({ type }) => type === 'NS'))
      yield `${where} is delegated by its NS records: this zone does not answer its ${entry.type}`
  }
  const pointed = ['MX', 'NS', 'SRV'].includes(entry.type) ? entry.content.split(' ').at(-1) : undefined
  const inside = pointed && pointed !== '.' ? nameInside(pointed.slice(0, -1), zone) : undefined
  if (inside !== undefined && byName.get(inside)?.some(({ type }) => type === 'CNAME'))
    yield `${where}: ${pointed} is a CNAME, which ${entry.type} must not point to`
  if (entry.type === 'CNAME' && nameInside(entry.content.slice(0, -1), zone) === entry.name)
    yield `${where}: points to itself`
}

const nameInside = (full: string, zone: string): string | undefined =>
  full === zone ? '@' : full.endsWith(`.${zone}`) ? full.slice(0, -zone.length - 1) : undefined
