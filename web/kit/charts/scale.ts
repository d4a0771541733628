/** What a chart shows: labels along it, and one or more rows of values of the same length. */
export interface ChartData {
  labels: readonly string[]
  series: readonly { name: string; values: readonly number[] }[]
}

/** Of series in their order; what comes after is "the rest". */
const colours = [
  'var(--mantine-color-primary-6)',
  'var(--mantine-color-accent-5)',
  'var(--mantine-color-info-4)',
  'var(--mantine-color-warning-4)',
]
export const colourOf = (n: number): string => colours[n] ?? 'var(--ink-bar)'

/** The round figure that a scale ends at: 1, 2 or 5 times a power of ten, at least the largest value. */
export function topOf(values: readonly number[]): number {
  const most = Math.max(0, ...values)
  if (most === 0) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  const step = [1, 2, 5, 10].find((factor) => factor * power >= most) ?? 10
  return step * power
}

/** One slice of a pie: a share of the whole, where it starts, and its outline in a circle of radius 1 around 0. */
export interface Slice {
  share: number
  path: string
}

export function slicesOf(values: readonly number[]): Slice[] {
  const total = values.reduce((sum, value) => sum + Math.max(0, value), 0)
  let from = 0
  return values.map((value) => {
    const share = total ? Math.max(0, value) / total : 0
    const path = arc(from, from + share)
    from += share
    return { share, path }
  })
}

/** Clockwise from the top; a whole circle is drawn in two halves, as an arc that ends where it begins is none. */
function arc(from: number, to: number): string {
  if (to - from >= 1) return 'M0,-1A1,1 0 1 1 0,1A1,1 0 1 1 0,-1Z'
  const at = (turn: number) =>
    `${Math.sin(2 * Math.PI * turn).toFixed(4)},${(-Math.cos(2 * Math.PI * turn)).toFixed(4)}`
  return `M0,0L${at(from)}A1,1 0 ${to - from > 0.5 ? 1 : 0} 1 ${at(to)}Z`
}

/** Corners of a line in a box of 100 by 100, its foot at the bottom. */
export const pointsOf = (values: readonly number[], top: number): string =>
  values
    .map((value, i) => {
      const x = values.length > 1 ? (100 * i) / (values.length - 1) : 50
      return `${x.toFixed(2)},${(100 - (100 * value) / top).toFixed(2)}`
    })
    .join(' ')
