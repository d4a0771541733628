import { structuredPatch } from 'diff'

/** Number of unchanged lines shown around each change. */
const AROUND = 3
/** The cost grows with the square of the changed lines: of texts with more, all lines are shown as removed and added. */
const MOST_CHANGED = 1000

/**
 * A line diff from `before` to `after`: ` ` unchanged, `-` removed, `+` added; `…` replaces lines far from any change.
 */
export function diffOf(before: string, after: string): string[] {
  const [from, to] = [ended(before), ended(after)]
  const options = { context: AROUND, maxEditLength: MOST_CHANGED }
  const patch = structuredPatch('', '', from, to, undefined, undefined, options)
  if (!patch) return [...linesOf(from).map((line) => `-${line}`), ...linesOf(to).map((line) => `+${line}`)]
  let shown = 0
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, lines }) => {
    const isApart = oldStart - 1 > shown
    shown = oldStart - 1 + oldLines
    return isApart ? [' …', ...lines] : lines
  })
  return shown < linesOf(from).length ? [...lines, ' …'] : lines
}

const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
const linesOf = (text: string) => text.split('\n').slice(0, -1)
