import type { DnsRecord, TemplateRecord } from '@innkeeper/contract/net/dns/calls'

/** Replaces the zone's name and address in records by the placeholders `{domain}` and `{address}`. */
export function templated(records: readonly DnsRecord[], domain: string): TemplateRecord[] {
  const own = records.find(({ name, type }) => name === '@' && type === 'A')?.content
  return records.map(({ name, type, ttl, priority, content }) => ({
    ...{ name, type, ttl, priority },
    content: own !== undefined && content === own ? '{address}' : inside(content, domain),
  }))
}

/** Replaces the zone's name only as a whole suffix: `other-example.org` is another name. */
const inside = (content: string, domain: string): string =>
  content.replace(new RegExp(`(^|[\\s.])${domain.replaceAll('.', '\\.')}\\.(?=$|[\\s"])`, 'g'), '$1{domain}.')
