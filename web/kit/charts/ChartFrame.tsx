import { Button, Text } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { count } from '../look/format.ts'
import { ChartTable } from './ChartTable.tsx'
import css from './charts.module.css'
import { type ChartData, colourOf, type WantedAxis } from './scale.ts'
import { saidOf } from './words.ts'

export interface ChartProps {
  /** Name of the chart for screen readers, and title of its table. */
  title: string
  data: ChartData
  /** Formats a value for people: "1.2 GB". */
  format?: (value: number) => string
  /** Limits, number of ticks and unit of the axis; derived from the values by default. */
  axis?: WantedAxis
  /** What the labels measure: "score of a review". Shown below them. */
  below?: string
  /** A link for each label, which covers its bars. */
  links?: readonly ReactNode[]
  /** `beside`: the table is next to the chart, below it on a phone. Without it, a button switches to the table. */
  table?: 'beside'
}
interface Props extends ChartProps {
  /** Entries of the legend; the labels of a pie. */
  legend: readonly string[]
  /** Colours of the legend; those of the series by default. */
  colour?: (n: number) => string
  /** Renders the chart with the current position. */
  children: (current: number | undefined, look: (at: number | undefined) => void) => ReactNode
}

/** Frame of a chart: legend, values at the pointer or arrow keys in words, and all values as a table. */
export function ChartFrame(props: Props) {
  const { title, data, legend, colour = colourOf, format = count, axis, table, below, children } = props
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
      <section
        aria-label={`${title}. The arrow keys read its figures.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read its figures one by one
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => look(undefined)}
      >
        {children(current, look)}
        {below && (
          <Text c="dimmed" fz="xs" ta="center" mt={4}>
            {below}
          </Text>
        )}
      </section>
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
