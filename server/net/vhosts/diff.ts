/** Number of unchanged lines shown around each change. */
const AROUND = 3

/**
 * A line diff from `before` to `after`: ` ` unchanged, `-` removed, `+` added; `…` replaces lines far from any change.
 */
export function diffOf(before: string, after: string): string[] {
  const from = linesOf(before)
  const to = linesOf(after)
  const lines: string[] = []
  const common = lengths(from, to)
  let i = 0
  let j = 0
  while (i < from.length || j < to.length) {
    if (i < from.length && j < to.length && from[i] === to[j]) {
      lines.push(` ${from[i]}`)
      i++
      j++
    } else if (i < from.length && (j === to.length || common(i + 1, j) >= common(i, j + 1))) lines.push(`-${from[i++]}`)
    else lines.push(`+${to[j++]}`)
  }
  return near(lines)
}

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n').slice(0, 2000))

/** Lengths of the longest common subsequence of lines, from each pair of positions to the end. */
function lengths(from: string[], to: string[]): (i: number, j: number) => number {
  const width = to.length + 1
  const table = new Uint16Array((from.length + 1) * width)
  for (let i = from.length - 1; i >= 0; i--)
    for (let j = to.length - 1; j >= 0; j--)
      table[i * width + j] =
        from[i] === to[j]
          ? (table[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0)
  return (i, j) => table[i * width + j] ?? 0
}

function near(lines: string[]): string[] {
  const isChange = (line: string | undefined) => line !== undefined && !line.startsWith(' ')
  const shown = lines.map((_, i) => lines.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(isChange))
  return lines.flatMap((line, i) => (shown[i] ? [line] : shown[i - 1] || i === 0 ? [' …'] : []))
}
