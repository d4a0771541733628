import type { TemplateRecord } from '@innkeeper/contract/net/dns/calls'
import { hasPriority, TTL } from '@innkeeper/contract/net/dns/records'
import { recordTypes } from '@innkeeper/contract/net/dns/recordTypes'

export type Read = { records: TemplateRecord[] } | { problems: string[] }

/** Writes records as lines of a zone file: `@ 3600 MX 10 mail.{domain}.` */
export const written = (records: readonly TemplateRecord[]): string =>
  records
    .map(({ name, ttl, type, priority, content }) =>
      [name, ttl, type, ...(priority === null ? [] : [priority]), content].join(' '),
    )
    .join('\n')

/** Parses such lines. The TTL is optional; errors name the line. */
export function readLines(text: string): Read {
  const records: TemplateRecord[] = []
  const problems: string[] = []
  for (const [n, line] of text.split('\n').entries()) {
    if (!line.trim()) continue
    const read = readLine(line.trim())
    if (typeof read === 'string') problems.push(`Line ${n + 1}: ${read}`)
    else records.push(read)
  }
  if (!records.length && !problems.length) problems.push('A template has at least one record')
  return problems.length ? { problems } : { records }
}

function readLine(line: string): TemplateRecord | string {
  const [, name = '', ttl, typed = '', rest = ''] = /^(\S+)\s+(?:(\d+)\s+)?([A-Za-z]+)\s+(\S.*)$/s.exec(line) ?? []
  const type = recordTypes.find((one) => one === typed.toUpperCase())
  if (!name) return 'name, TTL, type and content, as www 3600 A {address}'
  if (!type) return `${typed} is no type of record that is kept here`
  const [, priority, content] = hasPriority(type) ? (/^(\d{1,5})\s+(\S.*)$/s.exec(rest) ?? []) : [rest, undefined, rest]
  if (content === undefined) return `${type} begins with its priority, as 10`
  const seconds = ttl === undefined ? TTL.usual : Number(ttl)
  if (seconds < TTL.min || seconds > TTL.max) return `a TTL is ${TTL.min} to ${TTL.max} seconds`
  return { name, type, ttl: seconds, priority: priority === undefined ? null : Number(priority), content }
}

/** Maps the server's errors (`records.3.content`) to line numbers. */
export function refusals(text: string, fields: Readonly<Record<string, string>>): string[] {
  const lines = text.split('\n').flatMap((line, n) => (line.trim() ? [n + 1] : []))
  return Object.entries(fields).flatMap(([field, message]) => {
    const [, index] = /^records\.(\d+)/.exec(field) ?? []
    return index === undefined ? [] : [`Line ${lines[Number(index)] ?? '?'}: ${message}`]
  })
}
