import type { ReactNode } from 'react'
import css from './charts.module.css'
import { type Axis, heightOf } from './scale.ts'

interface PlotProps {
  axis: Axis
  format: (value: number) => string
  labels: readonly string[]
  bars?: boolean
  children: ReactNode
}

/** Axis on the left with a hairline per tick, labels below. */
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
