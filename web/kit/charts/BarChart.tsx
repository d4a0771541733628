import { count } from '../look/format.ts'
import { ChartFrame, type ChartProps, Plot } from './ChartFrame.tsx'
import css from './charts.module.css'
import { colourOf, topOf } from './scale.ts'

/** Values that compare: a group of bars for each label. */
export function BarChart(props: ChartProps) {
  const { data, format = count } = props
  const top = topOf(data.series.flatMap(({ values }) => values))
  return (
    <ChartFrame {...props} legend={data.series.map(({ name }) => name)}>
      {(current, look) => (
        <Plot top={top} format={format} labels={data.labels} bars>
          <div className={css.bars} onPointerLeave={() => look(undefined)}>
            {data.labels.map((label, i) => (
              <div
                key={label}
                className={css.group}
                data-current={i === current || undefined}
                onPointerEnter={() => look(i)}
              >
                {data.series.map(({ name, values }, n) => (
                  <div
                    key={name}
                    className={css.bar}
                    style={{ height: `${(100 * (values[i] ?? 0)) / top}%`, background: colourOf(n) }}
                  />
                ))}
              </div>
            ))}
          </div>
        </Plot>
      )}
    </ChartFrame>
  )
}
