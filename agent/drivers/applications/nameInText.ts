/** A line that a replacement changes, shortened for display. */
export interface ChangedLine {
  line: number
  before: string
  after: string
}

const MOST_LINES = 20
const MOST_CHARACTERS = 300

/**
 * Replaces a host name, alone or with `www.`. A match is neither the beginning nor the end of a longer name, and does
 * not follow an `@`, so mail addresses keep their domain. Skips PHP serialized strings, because they contain the length
 * of the text.
 */
export function withOtherName(
  text: string,
  from: string,
  to: string,
): { text: string; count: number; lines: ChangedLine[] } {
  const name = new RegExp(
    `(?<![\\p{L}\\p{N}@._-])(www\\.)?${from.replaceAll('.', '\\.')}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`,
    'giu',
  )
  const lines: ChangedLine[] = []
  let count = 0
  const changed = text.split('\n').map((before, i) => {
    if (/\bs:\d+:\\?"/.test(before)) return before
    let here = 0
    const after = before.replace(name, (_, www = '') => {
      here++
      return `${www}${to}`
    })
    count += here
    if (here && lines.length < MOST_LINES) lines.push({ line: i + 1, before: cut(before, from), after: cut(after, to) })
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
