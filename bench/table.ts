/** One line of the result table of `npm run bench`. */
export interface Line {
  story: string
  what: string
  /** The measured figure with its unit: `0.93`, `41 ms`. */
  figure: string
  /** The target, such as `≥ 0.80`; empty: for information only. */
  target: string
  reached: boolean | undefined
  /** Details behind the figure: rates of both sides, sizes, or why there is no figure. */
  detail: string
}

export const atLeast = (story: string, what: string, value: number, target: number, detail: string): Line => ({
  story,
  what,
  figure: value.toFixed(2),
  target: `≥ ${target.toFixed(2)}`,
  reached: value >= target,
  detail,
})

export const atMost = (
  story: string,
  what: string,
  value: number,
  target: number,
  unit: string,
  detail: string,
): Line => ({
  story,
  what,
  figure: `${short(value)}${unit}`,
  target: `≤ ${target}${unit}`,
  reached: value <= target,
  detail,
})

/** A figure without a target. */
export const known = (story: string, what: string, figure: string, detail = ''): Line => ({
  story,
  what,
  figure,
  target: '',
  reached: undefined,
  detail,
})

/** A line for calls that could not be measured, so that nobody mistakes a missing line for success. */
export const unmeasured = (story: string, what: string, why: string): Line => ({
  story,
  what,
  figure: '–',
  target: '',
  reached: false,
  detail: why,
})

/** Three significant digits: 0.0712, 3.14, 41.2, 1234. */
export const short = (value: number): string =>
  value >= 100
    ? value.toFixed(0)
    : value >= 10
      ? value.toFixed(1)
      : value >= 1
        ? value.toFixed(2)
        : value.toPrecision(3)

const verdict = ({ figure, target, reached }: Line) =>
  figure === '–' ? 'NOT MEASURED' : target === '' ? '' : reached ? 'ok' : 'SHORT'

export function tableOf(lines: Line[]): string {
  const heads = ['story', 'what', 'figure', 'target', '', 'behind it']
  const cells = lines.map((line) => [line.story, line.what, line.figure, line.target, verdict(line), line.detail])
  const widths = heads.map((head, i) => Math.max(head.length, ...cells.map((row) => row[i]!.length)))
  const text = (row: string[]) => row.map((cell, i) => (i === 5 ? cell : cell.padEnd(widths[i]!))).join('  ')
  return [
    heads,
    widths
      .slice(0, 5)
      .map((width) => '-'.repeat(width))
      .concat('---'),
    ...cells,
  ]
    .map(text)
    .join('\n')
}
