import { fullName } from './names.ts'
import type { Entry } from './records.ts'

/** What is wrong with a zone as a whole, of which record and field. `index` counts among the created ones. */
export interface Finding {
  index: number | null
  field: keyof Entry | null
  message: string
}
export interface Lint {
  problems: Finding[]
  warnings: Finding[]
}

/** What a zone says itself of a name that it has handed on. */
const delegating: ReadonlySet<string> = new Set(['NS', 'DS'])

/** Records of one name and type: all of them have to fit one answer. */
const MAX_SET = 200

/**
 * Looks at the sets that a change touches, as they are after it. `stays`: the other records of the same names, and the
 * zone's own at its top; `made`: what is created. Each problem is a refusal, each warning is shown before saving.
 */
export function lint(zone: string, stays: readonly Entry[], made: readonly Entry[]): Lint {
  const problems: Finding[] = []
  const warnings: Finding[] = []
  const byName = Map.groupBy([...stays, ...made], ({ name }) => name)
  for (const [index, entry] of made.entries()) {
    const problem = (field: keyof Entry, message: string) => problems.push({ index, field, message })
    const warn = (message: string) => warnings.push({ index, field: null, message })
    const beside = (byName.get(entry.name) ?? []).filter((other) => other !== entry)
    const set = beside.filter(({ type }) => type === entry.type)
    const where = fullName(entry.name, zone)
    if (set.some(({ content, priority }) => content === entry.content && priority === entry.priority))
      problem('content', `There already, as ${entry.type} of ${where}`)
    else if (set.some(({ ttl }) => ttl !== entry.ttl))
      problem('ttl', `All ${entry.type} records of ${where} share one TTL: the others have ${set[0]?.ttl}`)
    if (entry.type === 'CNAME' && entry.name === '@')
      problem('type', `${zone} itself has NS and SOA records, which a CNAME cannot stand beside: use ALIAS`)
    else if (entry.type === 'CNAME' && beside.length)
      problem('type', `${where} has other records: a CNAME stands alone`)
    else if (entry.type !== 'CNAME' && beside.some(({ type }) => type === 'CNAME'))
      problem('type', `${where} is a CNAME, which stands alone`)
    if (entry.type === 'ALIAS' && beside.some(({ type }) => type === 'A' || type === 'AAAA'))
      problem('type', `${where} has addresses of its own: an ALIAS takes their place`)
    if ((entry.type === 'A' || entry.type === 'AAAA') && beside.some(({ type }) => type === 'ALIAS'))
      problem('type', `${where} is an ALIAS, which answers its addresses`)
    if (entry.type === 'DS' && entry.name === '@') problem('name', 'The DS of a zone stands in the zone above it')
    if (entry.type === 'DS' && entry.name !== '@' && !beside.some(({ type }) => type === 'NS'))
      problem('name', `${where} is not delegated: its NS records come first`)
    if (set.length >= MAX_SET) problem('name', `More than ${MAX_SET} ${entry.type} records of one name`)
    for (const message of warningsOf(entry, set, byName, zone)) warn(message)
  }
  if (!(byName.get('@') ?? []).some(({ type }) => type === 'NS'))
    problems.push({ index: null, field: null, message: `${zone} would be left without a name server` })
  return { problems, warnings }
}

function* warningsOf(entry: Entry, set: Entry[], byName: Map<string, Entry[]>, zone: string): Generator<string> {
  const where = fullName(entry.name, zone)
  if (entry.ttl < 60) yield `${where}: a TTL of ${entry.ttl} s has resolvers ask all the time`
  if (entry.ttl > 604_800) yield `${where}: old answers stay for ${Math.round(entry.ttl / 86_400)} days after a change`
  if (['A', 'AAAA', 'MX'].includes(entry.type) && entry.name.includes('_'))
    yield `${where}: many programs refuse a host name with _`
  const spf = ({ type, content }: Entry) => type === 'TXT' && content.startsWith('"v=spf1')
  if (spf(entry) && set.some(spf)) yield `${where}: two SPF records make both invalid`
  if (entry.name !== '@') {
    const all = byName.get(entry.name) ?? []
    const own = [...new Set(all.map(({ type }) => type))].filter((type) => !delegating.has(type))
    if (entry.type === 'NS') {
      yield `${where}: what lies below it is answered by ${entry.content}`
      if (own.length) yield `${where}: its own ${own.join(' and ')} is answered there too, no more by this zone`
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
