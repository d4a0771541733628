import type { PointerEvent } from 'react'
import { count } from '../look/format.ts'
import { ChartFrame, type ChartProps, Plot } from './ChartFrame.tsx'
import css from './charts.module.css'
import { colourOf, pointsOf, topOf } from './scale.ts'

/** Values over time: a line for each series. */
export function LineChart(props: ChartProps) {
  const { data, format = count } = props
  const top = topOf(data.series.flatMap(({ values }) => values))
  const last = Math.max(1, data.labels.length - 1)
  const placeOf = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(data.labels.length - 1, Math.max(0, Math.round(((clientX - left) / width) * last)))
  }
  return (
    <ChartFrame {...props} legend={data.series.map(({ name }) => name)}>
      {(current, look) => (
        <Plot top={top} format={format} labels={data.labels}>
          <svg
            className={css.lines}
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            aria-hidden
            onPointerMove={(event) => look(placeOf(event))}
            onPointerLeave={() => look(undefined)}
          >
            <rect width="100" height="100" fill="transparent" />
            {data.series.map(({ name, values }, n) => (
              <polyline key={name} className={css.line} points={pointsOf(values, top)} stroke={colourOf(n)} />
            ))}
          </svg>
          {current !== undefined && <div className={css.marker} style={{ left: `${(100 * current) / last}%` }} />}
        </Plot>
      )}
    </ChartFrame>
  )
}
