/** Spread of many values: lower and upper limit, and the number of values. */
export interface Spread {
  low: number
  high: number
  n: number
}
/** Null for missing measurements. */
export type Values = readonly (number | null)[]
export interface Series {
  name: string
  values: Values
  /** Values of another period at the same positions. */
  before?: Values
  spread?: readonly (Spread | null)[]
}
/** Data of a chart: labels, and one or more series of the same length. */
export interface ChartData {
  labels: readonly string[]
  /** Shorter labels below the bars, where the labels do not fit. */
  short?: readonly string[]
  series: readonly Series[]
  /** Name of the other period: "the week before". */
  beforeName?: string
  /** Name of the spread: "middle half", "lowest to highest". */
  spreadName?: string
}

/** Colours of the series in order; further series are grey. */
const colours = [
  'var(--mantine-color-primary-6)',
  'var(--mantine-color-accent-5)',
  'var(--mantine-color-info-4)',
  'var(--mantine-color-warning-4)',
]
export const colourOf = (n: number): string => colours[n] ?? 'var(--ink-bar)'

/** Round end of a scale: 1, 2 or 5 times a power of ten, at least the largest value. */
export function topOf(values: readonly number[]): number {
  const most = Math.max(0, ...values)
  if (most === 0) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  const step = [1, 2, 5, 10].find((factor) => factor * power >= most) ?? 10
  return step * power
}

/** Settings of an axis; missing ones are derived from the values. */
export interface WantedAxis {
  min?: number
  max?: number
  /** Number of ticks, both ends included. */
  ticks?: number
  /** Unit: "ms", "points of 100". */
  unit?: string
}
export interface Axis {
  low: number
  high: number
  /** In ascending order. */
  ticks: number[]
}

/** Axis from 0, or from below a negative minimum, to a round number. */
export function axisOf({ series }: Pick<ChartData, 'series'>, { min, max, ticks = 3 }: WantedAxis = {}): Axis {
  const values = series.flatMap(({ values, before = [], spread = [] }) => [
    ...[...values, ...before].flatMap((value) => value ?? []),
    ...spread.flatMap((one) => (one ? [one.low, one.high] : [])),
  ])
  const least = Math.min(0, ...values)
  const low = min ?? (least < 0 ? -topOf([-least]) : 0)
  const top = max ?? (values.some((value) => value > 0) || low === 0 ? topOf(values) : 0)
  const high = top > low ? top : low + 1
  const count = Math.max(2, ticks)
  const all = Array.from({ length: count }, (_, n) => low + ((high - low) * n) / (count - 1))
  // there is no half a review
  const isCounted = values.length > 0 && values.every(Number.isInteger)
  return { low, high, ticks: isCounted ? all.filter(Number.isInteger) : all }
}

/** Height of a value in percent of the axis, limited to its ends. */
export const heightOf = (value: number, { low, high }: Axis): number =>
  100 * Math.min(1, Math.max(0, (value - low) / (high - low)))

/** Start and length of a bar. A bar starts at 0, or at the end of the axis nearest to 0. */
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

/** Arc clockwise from the top. A full circle consists of two halves, because an arc with equal ends is empty. */
function arc(from: number, to: number): string {
  if (to - from >= 1) return 'M0,-1A1,1 0 1 1 0,1A1,1 0 1 1 0,-1Z'
  const at = (turn: number) =>
    `${Math.sin(2 * Math.PI * turn).toFixed(4)},${(-Math.cos(2 * Math.PI * turn)).toFixed(4)}`
  return `M0,0L${at(from)}A1,1 0 ${to - from > 0.5 ? 1 : 0} 1 ${at(to)}Z`
}

const placeOf = (i: number, length: number): number => (length > 1 ? (100 * i) / (length - 1) : 50)
const corner = (i: number, length: number, value: number, axis: Axis): string =>
  `${placeOf(i, length).toFixed(2)},${(100 - heightOf(value, axis)).toFixed(2)}`

/** Splits a series at missing values; a line breaks there. */
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

/** A line in a box of 100 by 100, with the foot at y = 100. A value without neighbours is a dot: a line from a point to itself. */
export interface Line {
  points: string
  isDot: boolean
}

/** The lines of a series; several where values are missing. */
export const linesOf = (values: Values, axis: Axis): Line[] =>
  runsOf(values).map((run) => {
    const points = run.map(({ i, value }) => corner(i, values.length, value, axis))
    const isDot = points.length === 1
    return { points: (isDot ? [...points, ...points] : points).join(' '), isDot }
  })

/** Outlines of the area between the lower and the upper borders. */
export const bandsOf = (spread: readonly (Spread | null)[], axis: Axis): string[] =>
  runsOf(spread).map((run) =>
    [
      ...run.map(({ i, value }) => corner(i, spread.length, value.high, axis)),
      ...run.toReversed().map(({ i, value }) => corner(i, spread.length, value.low, axis)),
    ].join(' '),
  )
