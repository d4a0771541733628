import type { CSSProperties, ReactNode } from 'react'
import css from '../list/cells.module.css'

interface Props extends Pick<CSSProperties, 'display'> {
  children: ReactNode
  c?: string | false
  fw?: number
  fz?: 'xs' | 'inherit'
  maw?: number
  /** As long as there is room; it needs a `display` of its own, or a parent that gives it one. */
  truncate?: boolean
  title?: string
  className?: string
  style?: CSSProperties
}

/**
 * What a machine reads: domains, ids, records, paths, scopes. A step smaller, so that it sits level with the sans. It is
 * a plain element that takes Mantine's words: lists show hundreds.
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
