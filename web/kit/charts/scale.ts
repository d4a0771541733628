/** The middle of many values: from the lower to the upper border, and how many values there were. */
export interface Spread {
  low: number
  high: number
  n: number
}
/** Null where nothing was measured. */
export type Values = readonly (number | null)[]
export interface Series {
  name: string
  values: Values
  /** The same of another period, place by place. */
  before?: Values
  spread?: readonly (Spread | null)[]
}
/** What a chart shows: labels along it, and one or more rows of values of the same length. */
export interface ChartData {
  labels: readonly string[]
  series: readonly Series[]
  /** What the other period is called: "the week before". */
  beforeName?: string
  /** What a spread is: "middle half", "lowest to highest". */
  spreadName?: string
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

/** What a screen asks of an axis; what is left out follows from the values. */
export interface AxisWish {
  min?: number
  max?: number
  /** How many figures stand beside the axis, both ends included. */
  ticks?: number
  /** What the figures are in: "ms", "points of 100". */
  unit?: string
}
export interface Axis {
  low: number
  high: number
  /** Upwards. */
  ticks: number[]
}

/** From 0, or from below the lowest value where that is negative, to a round figure. */
export function axisOf({ series }: Pick<ChartData, 'series'>, { min, max, ticks = 3 }: AxisWish = {}): Axis {
  const values = series.flatMap(({ values, before = [], spread = [] }) => [
    ...[...values, ...before].flatMap((value) => value ?? []),
    ...spread.flatMap((one) => (one ? [one.low, one.high] : [])),
  ])
  const least = Math.min(0, ...values)
  const low = min ?? (least < 0 ? -topOf([-least]) : 0)
  const top = max ?? (values.some((value) => value > 0) || low === 0 ? topOf(values) : 0)
  const high = top > low ? top : low + 1
  const count = Math.max(2, ticks)
  return { low, high, ticks: Array.from({ length: count }, (_, n) => low + ((high - low) * n) / (count - 1)) }
}

/** Where a value lies on the axis, in percent from the foot; what lies beyond stands at the end. */
export const heightOf = (value: number, { low, high }: Axis): number =>
  100 * Math.min(1, Math.max(0, (value - low) / (high - low)))

/** Where a bar begins and how long it is: it stands on 0, or at the end of the axis that is nearer to 0. */
export function barOf(value: number, axis: Axis): { bottom: number; height: number } {
  const [foot, end] = [heightOf(0, axis), heightOf(value, axis)]
  return { bottom: Math.min(foot, end), height: Math.abs(end - foot) }
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

const placeOf = (i: number, length: number): number => (length > 1 ? (100 * i) / (length - 1) : 50)
const corner = (i: number, length: number, value: number, axis: Axis): string =>
  `${placeOf(i, length).toFixed(2)},${(100 - heightOf(value, axis)).toFixed(2)}`

/** Runs of places that have something; a line breaks where nothing was measured. */
function runsOf<V>(values: readonly (V | null)[]): { i: number; value: V }[][] {
  const runs: { i: number; value: V }[][] = []
  values.forEach((value, i) => {
    if (value === null) return
    const run = runs.at(-1)
    if (run && run.at(-1)?.i === i - 1) run.push({ i, value })
    else runs.push([{ i, value }])
  })
  return runs
}

/** Corners of a line in a box of 100 by 100, its foot at the bottom; several lines where values are missing. */
export const linesOf = (values: Values, axis: Axis): string[] =>
  runsOf(values).map((run) => run.map(({ i, value }) => corner(i, values.length, value, axis)).join(' '))

/** Outlines of the area between the lower and the upper borders. */
export const bandsOf = (spread: readonly (Spread | null)[], axis: Axis): string[] =>
  runsOf(spread).map((run) =>
    [
      ...run.map(({ i, value }) => corner(i, spread.length, value.high, axis)),
      ...run.toReversed().map(({ i, value }) => corner(i, spread.length, value.low, axis)),
    ].join(' '),
  )
