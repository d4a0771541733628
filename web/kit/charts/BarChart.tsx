import { count } from '../look/format.ts'
import { ChartFrame, type ChartProps } from './ChartFrame.tsx'
import css from './charts.module.css'
import { Plot } from './Plot.tsx'
import { type Axis, axisOf, barOf, colourOf, heightOf, type Series } from './scale.ts'

/** Bar chart: a group of bars for each label. */
export function BarChart(props: ChartProps) {
  const { data, format = count, links } = props
  const axis = axisOf(data, props.axis)
  return (
    <ChartFrame {...props} legend={data.series.map(({ name }) => name)}>
      {(current, look) => (
        <Plot axis={axis} format={format} labels={data.short ?? data.labels} bars>
          <div className={css.bars} onPointerLeave={() => look(undefined)}>
            {data.labels.map((label, i) => (
              <div
                key={label}
                className={css.group}
                data-current={i === current || undefined}
                onPointerEnter={() => look(i)}
              >
                {data.series.map((series, n) => (
                  <Bars key={series.name} series={series} i={i} colour={colourOf(n)} axis={axis} />
                ))}
                {links?.[i] && <div className={css.link}>{links[i]}</div>}
              </div>
            ))}
          </div>
        </Plot>
      )}
    </ChartFrame>
  )
}

interface Props {
  series: Series
  i: number
  colour: string
  axis: Axis
}

/** A bar, the other period as an outline, and the spread as a line. */
function Bars({ series: { values, before, spread }, i, colour, axis }: Props) {
  const value = values[i]
  const other = before?.[i]
  const there = spread?.[i]
  return (
    <>
      {before && (
        <div className={css.slot} data-before>
          {other !== null && other !== undefined && (
            <div className={css.bar} style={{ ...percents(barOf(other, axis)), borderColor: colour }} />
          )}
        </div>
      )}
      <div className={css.slot}>
        {value !== null && value !== undefined && (
          <div className={css.bar} style={{ ...percents(barOf(value, axis)), background: colour }} />
        )}
        {there && (
          <div
            className={css.whisker}
            style={percents({
              bottom: heightOf(there.low, axis),
              height: heightOf(there.high, axis) - heightOf(there.low, axis),
            })}
          />
        )}
      </div>
    </>
  )
}

const percents = ({ bottom, height }: { bottom: number; height: number }) => ({
  bottom: `${bottom}%`,
  height: `${height}%`,
})
