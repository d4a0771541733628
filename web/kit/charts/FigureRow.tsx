import { Text, VisuallyHidden } from '@mantine/core'
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Trio } from '../frame/Section.tsx'
import css from './FigureRow.module.css'
import type { Delta } from './runs.ts'

export interface Figure {
  label: string
  value: string
  /** Right of the value: "of 16 cores", "n 31". */
  of?: string
  /** See `deltaOf`. */
  delta?: Delta
  /** Meaning of the figure, or the start of the comparison. */
  hint?: ReactNode
  /** A link to the rows behind the figure, which covers its tile. */
  link?: ReactNode
}

const colours = { better: 'success', worse: 'error', same: 'secondary' } as const

/** A row of figures in one frame: label, value, change, hint. */
export const FigureRow = ({ figures }: { figures: readonly Figure[] }) => (
  <Trio>
    {figures.map(({ label, value, of, delta, hint, link }) => (
      <div key={label} className={css.tile}>
        {link && <div className={css.link}>{link}</div>}
        <Text c="dimmed">{label}</Text>
        <div className={css.line}>
          <Text span fz={22} fw={600} lh={1.25} className="num">
            {value}
          </Text>
          {of && (
            <Text span c="dimmed" className="num">
              {of}
            </Text>
          )}
          {delta && <Change {...delta} />}
        </div>
        {hint && (
          <Text component="div" c="dimmed" fz="xs">
            {hint}
          </Text>
        )}
      </div>
    ))}
  </Trio>
)

const Change = ({ text, is }: Delta) => {
  const Icon = text.startsWith('−') ? IconArrowDownRight : text.startsWith('±') ? IconArrowRight : IconArrowUpRight
  return (
    <span className={`num ${css.delta}`} style={{ color: `var(--mantine-color-${colours[is]}-text)` }}>
      <Icon size={14} aria-hidden />
      {text}
      {is !== 'same' && <VisuallyHidden>, {is}</VisuallyHidden>}
    </span>
  )
}
