import type { CSSProperties, ReactNode } from 'react'
import css from '../list/cells.module.css'

interface Props extends Pick<CSSProperties, 'display'> {
  children: ReactNode
  c?: string | false
  fw?: number
  fz?: 'xs' | 'inherit'
  maw?: number
  /** Truncates overlong text; needs a `display`, or a parent that sets one. */
  truncate?: boolean
  title?: string
  className?: string
  style?: CSSProperties
}

/**
 * Monospaced text for domains, ids, records, paths and scopes, one step smaller than the sans-serif. A plain element
 * with Mantine's style props, because lists render hundreds.
 */
export const Mono = ({ children, c, fw, fz, maw, display, truncate, title, className, style }: Props) => (
  <span
    className={['mono', css.mono, truncate && css.truncate, className].filter(Boolean).join(' ')}
    title={title}
    style={{
      color: c === 'dimmed' ? 'var(--mantine-color-dimmed)' : c || undefined,
      fontWeight: fw,
      fontSize: fz === 'xs' ? 'var(--mantine-font-size-xs)' : (fz ?? '0.97em'),
      maxWidth: maw,
      display,
      ...style,
    }}
  >
    {children}
  </span>
)
