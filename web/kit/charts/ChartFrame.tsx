import { Button } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { count } from '../look/format.ts'
import css from './charts.module.css'
import { type ChartData, colourOf } from './scale.ts'

export interface ChartProps {
  /** What it shows, for those who hear it and above its table. */
  title: string
  data: ChartData
  /** A value as people read it: "1.2 GB". */
  format?: (value: number) => string
}
interface Props extends ChartProps {
  /** What stands in the legend; a pie's are its labels. */
  legend: readonly string[]
  /** Of the legend's entries, where they are not those of series in their order. */
  colour?: (n: number) => string
  /** Draws it, with the place that is looked at. */
  children: (current: number | undefined, look: (at: number | undefined) => void) => ReactNode
}

/**
 * What every chart has: a legend, the figures under the pointer or the arrow keys in words, and all of them as a table for
 * who would rather read.
 */
export function ChartFrame({ title, data, legend, colour = colourOf, format = count, children }: Props) {
  const [current, look] = useState<number>()
  const [asTable, setAsTable] = useState(false)
  const { labels, series } = data
  const onKeyDown = (event: KeyboardEvent) => {
    const last = labels.length - 1
    const at = current ?? -1
    const next = { ArrowRight: Math.min(last, at + 1), ArrowLeft: Math.max(0, at - 1), Home: 0, End: last }[event.key]
    if (event.key === 'Escape') return look(undefined)
    if (next === undefined) return
    event.preventDefault()
    look(next)
  }
  const said =
    current === undefined
      ? ''
      : `${labels[current]}: ${series.map(({ name, values }) => `${name} ${format(values[current] ?? 0)}`).join(', ')}`
  return (
    <figure className={css.chart} aria-label={title}>
      <div className={css.top}>
        {legend.map((name, n) => (
          <span key={name} className={css.legend}>
            <span className={css.swatch} style={{ background: colour(n) }} aria-hidden />
            {name}
          </span>
        ))}
        <Button size="compact-xs" variant="subtle" color="secondary" ml="auto" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'As a chart' : 'As a table'}
        </Button>
      </div>
      {asTable ? (
        <ChartTable title={title} data={data} format={format} />
      ) : (
        <>
          <div
            role="img"
            aria-label={`${title}. The arrow keys read its figures.`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read its figures one by one
            tabIndex={0}
            onKeyDown={onKeyDown}
            onBlur={() => look(undefined)}
          >
            {children(current, look)}
          </div>
          <div className={`${css.said} num`} aria-live="polite">
            {said}
          </div>
        </>
      )}
    </figure>
  )
}

const ChartTable = ({
  title,
  data: { labels, series },
  format,
}: ChartProps & { format: (value: number) => string }) => (
  <table className={css.table} aria-label={title}>
    <thead>
      <tr>
        <th scope="col" aria-label="Of" />
        {series.map(({ name }) => (
          <th scope="col" key={name}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {labels.map((label, i) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          {series.map(({ name, values }) => (
            <td key={name}>{format(values[i] ?? 0)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

interface PlotProps {
  top: number
  format: (value: number) => string
  labels: readonly string[]
  bars?: boolean
  children: ReactNode
}

/** The scale left, labels below. */
export const Plot = ({ top, format, labels, bars, children }: PlotProps) => (
  <div className={css.plot}>
    <div className={`${css.scale} num`}>
      {[top, top / 2, 0].map((value) => (
        <span key={value}>{format(value)}</span>
      ))}
    </div>
    <div className={css.area}>{children}</div>
    <div className={css.labels} data-bars={bars || undefined}>
      {bars
        ? labels.map((label) => (
            <span key={label} title={label}>
              {label}
            </span>
          ))
        : [labels[0], labels.at(-1)].map((label, i) => <span key={i === 0 ? 'first' : 'last'}>{label}</span>)}
    </div>
  </div>
)
