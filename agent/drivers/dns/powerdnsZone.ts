import { createHash } from 'node:crypto'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import { soaText, USUAL_OPTIONS } from '@innkeeper/contract/net/dns/options'
import { powerdnsFind } from './powerdnsApi.ts'

/** A zone as the API shows it. Names end with a dot. */
export interface KeptZone {
  name: string
  kind: string
  serial: number
  dnssec: boolean
  masters: string[]
  master_tsig_key_ids: string[]
  slave_tsig_key_ids: string[]
  rrsets?: KeptSet[]
}
interface KeptSet {
  name: string
  type: string
  ttl: number
  records: { content: string; disabled: boolean }[]
}
export type WantedSet = OperationInput<'dns-zone.ensure'>['sets'][number]

export const pathOf = (domain: string): string => `/zones/${domain}.`
/** Without `withSets`, the call is as cheap for a large zone as for a small one. */
export const findZone = (domain: string, withSets: boolean): Promise<KeptZone | undefined> =>
  powerdnsFind<KeptZone>(`${pathOf(domain)}${withSets ? '' : '?rrsets=false'}`)

/** Record types that signing adds. */
export const signing: readonly string[] = ['RRSIG', 'DNSKEY', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'CDS', 'CDNSKEY']
/** Types that the name server makes; the SOA is compared by its serial. */
const own = ['SOA', ...signing]

/** The records of a zone as lines, in the format of `lineOf` in contract/net/dns/records.ts. */
export const linesOf = ({ rrsets = [] }: KeptZone): string[] =>
  rrsets
    .filter(({ type }) => !own.includes(type))
    .flatMap(({ name, type, ttl, records }) =>
      records
        .filter(({ disabled }) => !disabled)
        .map(({ content }) => `${name.toLowerCase()} ${ttl} ${type} ${content}`),
    )

/** XOR of the hashes of all lines; server/net/dns/records/digest.ts computes the same. */
export function digestOf(lines: readonly string[]): string {
  const sum = Buffer.alloc(16)
  for (const line of lines) {
    const hash = createHash('sha256').update(line).digest()
    for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) ^ (hash[i] ?? 0)
  }
  return sum.toString('hex')
}

export interface SetChange {
  name: string
  type: string
  changetype: 'REPLACE' | 'DELETE'
  ttl?: number
  records?: { content: string; disabled: boolean }[]
}

/** The record sets that differ. Writing an equal set would count as a change. */
export function changesOf(zone: KeptZone | undefined, wanted: readonly WantedSet[], whole: boolean): SetChange[] {
  const keyOf = (name: string, type: string) => `${name.toLowerCase()} ${type}`
  const there = new Map((zone?.rrsets ?? []).map((set) => [keyOf(set.name, set.type), set]))
  const changes: SetChange[] = []
  for (const { owner, recordType: type, ttl, contents } of wanted) {
    const name = `${owner}.`
    const key = keyOf(name, type)
    const found = there.get(key)
    there.delete(key)
    if (!contents.length) {
      if (found) changes.push({ name, type, changetype: 'DELETE' })
    } else if (!found || !isSame(found, ttl, contents))
      changes.push({
        ...{ name, type, ttl, changetype: 'REPLACE' },
        records: contents.map((content) => ({ content, disabled: false })),
      })
  }
  if (whole)
    for (const { name, type } of there.values())
      if (!own.includes(type)) changes.push({ name, type, changetype: 'DELETE' })
  // deletions first: a CNAME may replace an address of the same name
  return changes.sort((a, b) => a.changetype.localeCompare(b.changetype))
}

function isSame({ ttl, records }: KeptSet, wantedTtl: number, contents: readonly string[]): boolean {
  const there = records.map(({ content, disabled }) => (disabled ? '' : content)).sort()
  const wanted = [...contents].sort()
  return ttl === wantedTtl && there.length === wanted.length && there.every((content, i) => content === wanted[i])
}

/** A diff for people: `-` marks former records, `+` new ones. */
export function diffOf(zone: KeptZone | undefined, changes: readonly SetChange[]): string[] {
  return changes.flatMap(({ name, type, ttl, records }) => {
    const before = zone?.rrsets?.find((set) => set.name.toLowerCase() === name && set.type === type)
    return [
      ...(before?.records ?? []).map(({ content }) => `- ${name} ${before?.ttl} ${type} ${content}`),
      ...(records ?? []).map(({ content }) => `+ ${name} ${ttl} ${type} ${content}`),
    ]
  })
}

export const soaSet = (
  {
    domain,
    nameServer,
    hostmaster,
    soa = USUAL_OPTIONS.soa,
  }: Pick<OperationInput<'dns-zone.ensure'>, 'domain' | 'nameServer' | 'hostmaster' | 'soa'>,
  serial: number,
): SetChange => ({
  name: `${domain}.`,
  type: 'SOA',
  ttl: 3600,
  changetype: 'REPLACE',
  records: [{ content: `${nameServer}. ${hostmaster}. ${serial} ${soaText(soa)}`, disabled: false }],
})
