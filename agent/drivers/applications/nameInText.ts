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
  const replace = replacer({ from, to, how: 'domain' })
  const lines: ChangedLine[] = []
  let count = 0
  const changed = text.split('\n').map((before, i) => {
    const made = replace(toBytes(before))
    if (!made.count) return before
    const after = fromBytes(made.text)
    count += made.count
    if (lines.length < MOST_LINES) lines.push({ line: i + 1, before: cut(before, from), after: cut(after, to) })
    return after
  })
  return { text: changed.join('\n'), count, lines }
}

/** Shortens a long line to the characters around the name. */
function cut(line: string, name: string): string {
  if (line.length <= MOST_CHARACTERS) return line.trim()
  const at = Math.max(0, line.toLowerCase().indexOf(name) - MOST_CHARACTERS / 2)
  return `…${line.slice(at, at + MOST_CHARACTERS)}…`
}
