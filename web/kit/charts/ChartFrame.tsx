import { Button, Text } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { count } from '../look/format.ts'
import { ChartTable } from './ChartTable.tsx'
import css from './charts.module.css'
import { type AxisWish, type ChartData, colourOf } from './scale.ts'
import { saidOf } from './words.ts'

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
