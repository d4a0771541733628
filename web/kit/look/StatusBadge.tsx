import { Badge } from '@mantine/core'
import css from '../list/cells.module.css'
import { Glyph } from './Glyph.tsx'
import { stateOf } from './stateWords.ts'

/** A mark and a word for tables and lists; `pill` for the status beside a page title. */
export function StatusBadge({ state, pill, label }: { state: string; pill?: boolean; label?: string }) {
  const { colour, shape, quiet, word } = stateOf(state)
  const text = label ?? word
  const mark = <Glyph shape={shape} colour={colour} />
  if (pill)
    return (
      <Badge color={colour} size="lg" fz="xs" leftSection={mark} style={{ flex: 'none' }}>
        {text}
      </Badge>
    )
  return (
    <span className={css.state}>
      {mark}
      <span
        className={`${css.text} ${css.oneLine} ${quiet ? css.dim : ''}`}
        style={quiet ? undefined : { color: `var(--mantine-color-${colour}-text)`, fontWeight: 500 }}
      >
        {text}
      </span>
    </span>
  )
}
