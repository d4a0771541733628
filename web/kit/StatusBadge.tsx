import { Badge, Group, Text } from '@mantine/core'
import { Glyph } from './Glyph.tsx'
import { stateOf } from './stateWords.ts'

/** A mark and a word in tables and lists; `pill` for the one state beside a page's title. */
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
    <Group gap={7} wrap="nowrap" component="span" display="inline-flex">
      {mark}
      <Text
        span
        fw={quiet ? 400 : 500}
        c={quiet ? 'dimmed' : `var(--mantine-color-${colour}-text)`}
        style={{ whiteSpace: 'nowrap' }}
      >
        {text}
      </Text>
    </Group>
  )
}
