import type { PointerEvent } from 'react'
import { count } from '../look/format.ts'
import { ChartFrame, type ChartProps } from './ChartFrame.tsx'
import css from './charts.module.css'
import { Plot } from './Plot.tsx'
import { axisOf, bandsOf, colourOf, linesOf } from './scale.ts'

/** Line chart: a line per series, dashed for the other period, with a band for the spread. */
export function LineChart(props: ChartProps) {
  const { data, format = count } = props
  const axis = axisOf(data, props.axis)
  const last = Math.max(1, data.labels.length - 1)
  const placeOf = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(data.labels.length - 1, Math.max(0, Math.round(((clientX - left) / width) * last)))
  }
  return (
    <ChartFrame {...props} legend={data.series.map(({ name }) => name)}>
      {(current, look) => (
        <Plot axis={axis} format={format} labels={data.labels}>
          <svg
            className={css.lines}
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            aria-hidden
            onPointerMove={(event) => look(placeOf(event))}
            onPointerLeave={() => look(undefined)}
          >
            <rect width="100" height="100" fill="transparent" />
            {data.series.map(({ name, values, before = [], spread = [] }, n) => (
              <g key={name} stroke={colourOf(n)} fill={colourOf(n)}>
                {bandsOf(spread, axis).map((points) => (
                  <polygon key={points} className={css.band} points={points} />
                ))}
                {linesOf(before, axis).map(({ points, isDot }) => (
                  <polyline
                    key={points}
                    className={css.line}
                    data-before
                    data-dot={isDot || undefined}
                    points={points}
                  />
                ))}
                {linesOf(values, axis).map(({ points, isDot }) => (
                  <polyline key={points} className={css.line} data-dot={isDot || undefined} points={points} />
                ))}
              </g>
            ))}
          </svg>
          {current !== undefined && <div className={css.marker} style={{ left: `${(100 * current) / last}%` }} />}
        </Plot>
      )}
    </ChartFrame>
  )
}
