import { ChartFrame, type ChartProps } from './ChartFrame.tsx'
import css from './charts.module.css'
import { colourOf, slicesOf } from './scale.ts'

type Props = Omit<ChartProps, 'data'> & { slices: readonly { label: string; value: number }[]; name: string }

/** Pie chart; the caller sorts the slices by size and merges those beyond four. */
export function PieChart({ slices, name, ...props }: Props) {
  const labels = slices.map(({ label }) => label)
  const values = slices.map(({ value }) => value)
  return (
    <ChartFrame {...props} data={{ labels, series: [{ name, values }] }} legend={labels}>
      {(current, look) => (
        <svg className={css.pie} viewBox="-1 -1 2 2" aria-hidden onPointerLeave={() => look(undefined)}>
          {slicesOf(values).map(({ path }, i) => (
            <path
              key={labels[i]}
              d={path}
              fill={colourOf(i)}
              data-faded={(current !== undefined && current !== i) || undefined}
              onPointerEnter={() => look(i)}
            />
          ))}
        </svg>
      )}
    </ChartFrame>
  )
}
