import type { Colour } from '../../palette.ts'
import css from './Glyph.module.css'

export type Shape = 'dot' | 'ring' | 'arc' | 'half' | 'pause' | 'cross' | 'check' | 'dash' | 'bang' | 'info' | 'back'

/** Path that is cut out of the filled disc. */
const cuts: Partial<Record<Shape, string>> = {
  pause: 'M4.6 4v4M7.4 4v4',
  cross: 'M4.1 4.1l3.8 3.8M7.9 4.1L4.1 7.9',
  check: 'M3.4 6.2l1.8 1.8 3.4-3.7',
  dash: 'M3.7 6h4.6',
  bang: 'M6 3.2v3.2M6 8.7v.1',
  info: 'M6 5.6v3.2M6 3.3v.1',
  back: 'M7.8 8.3V6.6c0-.9-.6-1.4-1.4-1.4H3.9M5.4 3.7L3.8 5.2l1.6 1.5',
}

/** Status marks of 12 px. Statuses differ in shape and colour; only `arc` is animated. */
export function Glyph({ shape, colour, size = 12 }: { shape: Shape; colour: Colour; size?: number }) {
  const ink = `var(--mantine-color-${colour}-text)`
  const cut = cuts[shape]
  return (
    <svg width={size} height={size} viewBox="0 0 12 12" aria-hidden className={css.glyph} data-turns={shape === 'arc'}>
      {shape === 'dot' && <circle cx="6" cy="6" r="3.4" fill={ink} />}
      {shape === 'ring' && (
        <circle cx="6" cy="6" r="4" fill="none" stroke={ink} strokeWidth="1.5" strokeDasharray="2.1 2.1" />
      )}
      {shape === 'arc' && (
        <g fill="none" stroke={ink} strokeWidth="2" strokeLinecap="round">
          <circle cx="6" cy="6" r="4.4" strokeOpacity=".28" />
          <path d="M6 1.6A4.4 4.4 0 0 1 10.4 6" />
        </g>
      )}
      {shape === 'half' && (
        <>
          <circle cx="6" cy="6" r="4.4" fill="none" stroke={ink} strokeWidth="1.6" />
          <path d="M6 3.4A2.6 2.6 0 0 1 6 8.6Z" fill={ink} />
        </>
      )}
      {cut && (
        <>
          <circle cx="6" cy="6" r="6" fill={ink} />
          <path d={cut} className={css.cut} strokeWidth={shape === 'back' ? 1.4 : 1.7} />
        </>
      )}
    </svg>
  )
}
