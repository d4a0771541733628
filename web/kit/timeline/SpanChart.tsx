import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ChartFrame } from '../charts/ChartFrame.tsx'
import { colourOf } from '../charts/scale.ts'
import { lasting } from '../look/format.ts'
import css from './SpanChart.module.css'
import { layOut, type Span, type Times } from './spans.ts'

export interface SpanRow {
  id: string | number
  /** Label left of the bar. */
  name: ReactNode
  /** The row in words, for the table and for screen readers. */
  line: string
  /** Undefined before the row's turn. */
  times: Times | undefined
  /** Colour of the running part; the first chart colour by default. */
  colour?: string
  /** Whether the page is about this row. */
  isOwn?: boolean
}

const legend = ['Ran', 'Waited']
const colour = (n: number) => (n === 0 ? colourOf(0) : 'var(--ink-bar)')

/** A chart of how long each row waited and ran, on one scale. Markup: a table. */
export function SpanChart({ title, rows }: { title: string; rows: readonly SpanRow[] }) {
  const { bars, pauses } = layOut(rows.map(({ times }) => times))
  return (
    <>
      <ChartFrame
        title={title}
        data={{
          labels: rows.map(({ line }) => line),
          series: [
            { name: 'Ran', values: bars.map(({ ranMs }) => ranMs) },
            { name: 'Waited', values: bars.map(({ waitedMs }) => waitedMs) },
          ],
        }}
        legend={legend}
        colour={colour}
        format={(ms) => (ms === 0 ? '–' : lasting(ms))}
      >
        {(current, look) => (
          <div className={css.rows} onPointerLeave={() => look(undefined)}>
            {rows.map(({ id, name, isOwn, colour: ranIn = colour(0) }, i) => {
              const bar = bars[i]
              const all = bar ? bar.ranMs + bar.waitedMs : 0
              return (
                <div
                  key={id}
                  className={css.row}
                  data-current={i === current || undefined}
                  data-own={isOwn || undefined}
                  onPointerEnter={() => look(i)}
                >
                  <div className={css.name}>{name}</div>
                  <div className={css.track}>
                    {pauses.map(({ at, ms }) => (
                      <span
                        key={at}
                        className={css.pause}
                        style={{ left: `${at}%` }}
                        title={`Nothing ran for ${lasting(ms)}`}
                      />
                    ))}
                    {bar?.waited && <Piece span={bar.waited} colour={colour(1)} />}
                    {bar?.ran && <Piece span={bar.ran} colour={ranIn} />}
                  </div>
                  <Text span c="dimmed" fz="xs" className={`num ${css.took}`}>
                    {all > 0 ? lasting(all) : ''}
                  </Text>
                </div>
              )
            })}
          </div>
        )}
      </ChartFrame>
      {pauses.length > 0 && (
        <Text c="dimmed" fz="xs">
          Left out, at the dashed lines: {pauses.map(({ ms }) => lasting(ms)).join(', ')} in which nothing ran.
        </Text>
      )}
    </>
  )
}

const Piece = ({ span: { from, to }, colour: background }: { span: Span; colour: string }) => (
  <span className={css.bar} style={{ left: `${from}%`, width: `${Math.max(0.4, to - from)}%`, background }} />
)
