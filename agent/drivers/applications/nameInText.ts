/** A line that would change, cut to what a person can read. */
export interface ChangedLine {
  line: number
  before: string
  after: string
}

const MOST_LINES = 20
const MOST_CHARACTERS = 300

/**
 * Where a text has a host name, alone or with `www.`: not as the end of a longer name, not as the beginning of one, and
 * not behind an `@` (mail goes where it went before). What PHP has serialized counts its characters and is left alone.
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

/** Around the name, where the line is longer than anybody reads. */
function cut(line: string, name: string): string {
  if (line.length <= MOST_CHARACTERS) return line.trim()
  const at = Math.max(0, line.toLowerCase().indexOf(name) - MOST_CHARACTERS / 2)
  return `…${line.slice(at, at + MOST_CHARACTERS)}…`
}
