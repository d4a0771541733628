import { count } from '../look/format.ts'
import type { ChartData, Spread } from './scale.ts'

type Format = (value: number) => string
const written = (value: number | null | undefined, format: Format): string =>
  value === null || value === undefined ? '–' : format(value)
const range = ({ low, high }: Spread, format: Format): string => `${format(low)} to ${format(high)}`

/** The figures of a chart as a table: each series, the other period beside it, its spread and its number of values. */
export function tableOf({ labels, series, beforeName = 'before', spreadName = 'spread' }: ChartData, format: Format) {
  const heads = series.flatMap(({ name, before, spread }) => [
    name,
    ...(before ? [`${name}, ${beforeName}`] : []),
    ...(spread ? [`${name}, ${spreadName}`, 'n'] : []),
  ])
  const rows = labels.map((label, i) => ({
    label,
    cells: series.flatMap(({ values, before, spread }) => {
      const there = spread?.[i]
      return [
        written(values[i], format),
        ...(before ? [written(before[i], format)] : []),
        ...(spread ? (there ? [range(there, format), count(there.n)] : ['–', '0']) : []),
      ]
    }),
  }))
  return { heads, rows }
}

/** One place of a chart in words: "Mon: Score 82, 79 the week before, 70 to 91, n 31". */
export function saidOf({ labels, series, beforeName = 'before' }: ChartData, i: number, format: Format): string {
  const parts = series.map(({ name, values, before, spread }) => {
    const there = spread?.[i]
    return [
      `${name} ${written(values[i], format)}`,
      ...(before ? [`${written(before[i], format)} ${beforeName}`] : []),
      ...(there ? [`${range(there, format)}, n ${count(there.n)}`] : []),
    ].join(', ')
  })
  return `${labels[i]}: ${parts.join(parts.length > 1 && series.some(({ before, spread }) => before ?? spread) ? '; ' : ', ')}`
}
