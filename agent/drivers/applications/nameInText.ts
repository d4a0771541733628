import { fromBytes, replacer, toBytes } from '../replace/inBytes.ts'

/** A line that a replacement changes, shortened for display. */
export interface ChangedLine {
  line: number
  before: string
  after: string
}

const MOST_LINES = 20
const MOST_CHARACTERS = 300

/** Replaces a domain in each line, alone or with `www.`, also in serialized data and JSON of one line. */
export function withOtherName(
  text: string,
  from: string,
  to: string,
): { text: string; count: number; lines: ChangedLine[] } {
  const plain = replacer({ from, to, how: 'domain' })
  const others = inPattern(from, to)
  const lines: ChangedLine[] = []
  let count = 0
  const changed = text.split('\n').map((before, i) => {
    const made = plain(toBytes(before))
    const after = fromBytes(made.text).replace(others.find, others.put)
    if (after === before) return before
    count += Math.max(1, made.count)
    if (lines.length < MOST_LINES) lines.push({ line: i + 1, before: cut(before, from), after: cut(after, to) })
    return after
  })
  return { text: changed.join('\n'), count, lines }
}

/**
 * Names in configurations that are no addresses: `.shop.example` of a cookie, and `^shop\.example$` of a pattern such as
 * Drupal's trusted hosts.
 */
function inPattern(from: string, to: string) {
  const quoted = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
  const escaped = (text: string) => text.replaceAll('.', '\\.')
  const find = new RegExp(
    `(?<=['"=]\\.)${quoted(from)}(?=['"]|\\s*$)|(?<![A-Za-z0-9_-])${quoted(escaped(from))}(?![A-Za-z0-9_-]|\\\\\\.[A-Za-z0-9])`,
    'gi',
  )
  return { find, put: (found: string) => (found.includes('\\') ? escaped(to) : to) }
}

/** Shortens a long line to the characters around the name. */
function cut(line: string, name: string): string {
  if (line.length <= MOST_CHARACTERS) return line.trim()
  const at = Math.max(0, line.toLowerCase().indexOf(name) - MOST_CHARACTERS / 2)
  return `…${line.slice(at, at + MOST_CHARACTERS)}…`
}
