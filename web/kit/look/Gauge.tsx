import { Group, Text } from '@mantine/core'
import css from './Gauge.module.css'

interface Props {
  label: string
  value: string
  /** "of 16 cores" */
  of: string
  /** 0 to 1 */
  share: number
  /** Values of the last hour, oldest first; at least two are needed for a line. */
  trend: number[]
  /** Share from which the gauge shows a warning colour. */
  mark?: number
}

/** A gauge: value, limit and the trend of the last hour. */
export function Gauge({ label, value, of, share, trend, mark = 0.85 }: Props) {
  const colour = share >= 0.95 ? 'error' : share >= mark ? 'warning' : 'primary'
  return (
    <div className={css.gauge}>
      <Group justify="space-between" gap={8}>
        <Text c="dimmed">{label}</Text>
        {share >= mark && (
          <Text fz="xs" fw={500} c={`var(--mantine-color-${colour}-text)`}>
            {Math.round(share * 100)} %
          </Text>
        )}
      </Group>
      <Group gap={6} align="baseline" mt={2}>
        <Text fz={22} fw={600} lh={1.25} className="num" style={{ letterSpacing: '-.015em' }}>
          {value}
        </Text>
        <Text c="dimmed" className="num">
          {of}
        </Text>
      </Group>
      <div className={css.track}>
        <div
          className={css.bar}
          style={{
            width: `${Math.min(share, 1) * 100}%`,
            background: `var(--mantine-color-${colour}-${colour === 'primary' ? 6 : 5})`,
          }}
        />
        <div className={css.mark} style={{ left: `${mark * 100}%` }} />
      </div>
      <Trend values={trend} colour={`var(--mantine-color-${colour}-5)`} />
    </div>
  )
}

/** A sparkline of twelve lines instead of a chart library. */
function Trend({ values, colour }: { values: number[]; colour: string }) {
  if (values.length < 2) return <div className={css.trend} />
  const low = Math.min(...values)
  const span = Math.max(...values) - low || 1
  const points = values.map((value, i) => {
    const x = (100 * i) / (values.length - 1)
    return `${x.toFixed(1)},${(28 - (24 * (value - low)) / span).toFixed(1)}`
  })
  return (
    <svg viewBox="0 0 100 30" preserveAspectRatio="none" className={css.trend} aria-hidden>
      <polygon points={`0,30 ${points.join(' ')} 100,30`} fill={colour} opacity=".14" />
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke={colour}
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
