import { Button, Text } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { count } from '../look/format.ts'
import css from './charts.module.css'
import { type Axis, type AxisWish, type ChartData, colourOf, heightOf } from './scale.ts'
import { saidOf, tableOf } from './words.ts'

export interface ChartProps {
  /** What it shows, for those who hear it and above its table. */
  title: string
  data: ChartData
  /** A value as people read it: "1.2 GB". */
  format?: (value: number) => string
  /** Limits, figures and unit of the axis; without it they follow from the values. */
  axis?: AxisWish
  /** `beside`: the table stands next to the chart, below it on a phone. Without it a button changes over. */
  table?: 'beside'
}
interface Props extends ChartProps {
  /** What stands in the legend; a pie's are its labels. */
  legend: readonly string[]
  /** Of the legend's entries, where they are not those of series in their order. */
  colour?: (n: number) => string
  /** Draws it, with the place that is looked at. */
  children: (current: number | undefined, look: (at: number | undefined) => void) => ReactNode
}

/** A legend, the figures under the pointer or the arrow keys in words, and all figures as a table. */
export function ChartFrame(props: Props) {
  const { title, data, legend, colour = colourOf, format = count, axis, table, children } = props
  const [current, look] = useState<number>()
  const [asTable, setAsTable] = useState(false)
  const { labels, series, beforeName, spreadName } = data
  const onKeyDown = (event: KeyboardEvent) => {
    const last = labels.length - 1
    const at = current ?? -1
    const next = { ArrowRight: Math.min(last, at + 1), ArrowLeft: Math.max(0, at - 1), Home: 0, End: last }[event.key]
    if (event.key === 'Escape') return look(undefined)
    if (next === undefined) return
    event.preventDefault()
    look(next)
  }
  const chart = (
    <div>
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
        {current !== undefined && saidOf(data, current, format)}
      </div>
    </div>
  )
  const figures = <ChartTable title={title} data={data} format={format} />
  return (
    <figure className={css.chart} aria-label={title}>
      <div className={css.top}>
        {legend.map((name, n) => (
          <span key={name} className={css.legend}>
            <span className={css.swatch} style={{ background: colour(n) }} aria-hidden />
            {name}
          </span>
        ))}
        {series.some(({ before }) => before) && (
          <span className={css.legend}>
            <span className={css.swatch} data-before aria-hidden />
            {beforeName}
          </span>
        )}
        {series.some(({ spread }) => spread) && (
          <span className={css.legend}>
            <span className={css.swatch} data-spread aria-hidden />
            {spreadName}
          </span>
        )}
        {axis?.unit && (
          <Text span c="dimmed" fz="xs">
            in {axis.unit}
          </Text>
        )}
        {table !== 'beside' && (
          <Button size="compact-xs" variant="subtle" color="secondary" ml="auto" onClick={() => setAsTable(!asTable)}>
            {asTable ? 'As a chart' : 'As a table'}
          </Button>
        )}
      </div>
      {table === 'beside' ? (
        <div className={css.beside}>
          {chart}
          {figures}
        </div>
      ) : asTable ? (
        figures
      ) : (
        chart
      )}
    </figure>
  )
}

function ChartTable({ title, data, format }: ChartProps & { format: (value: number) => string }) {
  const { heads, rows } = tableOf(data, format)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by keys
    <section className={css.tableScroller} aria-label={`Table of ${title}`} tabIndex={0}>
      <table className={css.table} aria-label={title}>
        <thead>
          <tr>
            <td />
            {heads.map((head, n) => (
              // two series may have a column of the same name
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <th scope="col" key={n}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, cells }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {cells.map((cell, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name
                <td key={n}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface PlotProps {
  axis: Axis
  format: (value: number) => string
  labels: readonly string[]
  bars?: boolean
  children: ReactNode
}

/** The axis left with a hairline for each of its figures, labels below. */
export const Plot = ({ axis, format, labels, bars, children }: PlotProps) => (
  <div className={css.plot}>
    <div className={`${css.scale} num`}>
      {axis.ticks.toReversed().map((value) => (
        <span key={value}>{format(value)}</span>
      ))}
    </div>
    <div className={css.area}>
      {axis.ticks.map((value) => (
        <span key={value} className={css.tick} style={{ bottom: `${heightOf(value, axis)}%` }} />
      ))}
      {children}
    </div>
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
