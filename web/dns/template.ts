import type { DnsRecord, TemplateRecord } from '@innkeeper/contract/dns'

/** Records with their zone's name and its own address made open: `{domain}`, `{address}`. */
export function templated(records: readonly DnsRecord[], domain: string): TemplateRecord[] {
  const own = records.find(({ name, type }) => name === '@' && type === 'A')?.content
  return records.map(({ name, type, ttl, priority, content }) => ({
    ...{ name, type, ttl, priority },
    content: own !== undefined && content === own ? '{address}' : inside(content, domain),
  }))
}

/** Only where the zone's own name ends a name: `other-example.org` is another one. */
const inside = (content: string, domain: string): string =>
  content.replace(new RegExp(`(^|[\\s.])${domain.replaceAll('.', '\\.')}\\.(?=$|[\\s"])`, 'g'), '$1{domain}.')
