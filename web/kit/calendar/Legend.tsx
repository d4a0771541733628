import { Group, Text } from '@mantine/core'
import type { Colour } from '../../palette.ts'
import css from './Legend.module.css'

interface ChipProps {
  /** The letters in the calendar; empty for the pattern of an absence. */
  short: string
  colour?: Colour | undefined
}

export const Chip = ({ short, colour }: ChipProps) => (
  <span className={css.chip} data-colour={colour} data-pattern={!short || undefined}>
    {short}
  </span>
)

interface LegendProps {
  entries: readonly (ChipProps & { label: string; hint?: string })[]
}

/** What the letters and colours of a calendar mean. */
export const Legend = ({ entries }: LegendProps) => (
  <Group gap="4px 12px" visibleFrom="lg">
    {entries.map(({ short, label, hint, colour }) => (
      <Group key={label} gap={6} wrap="nowrap">
        <Chip short={short} colour={colour} />
        <Text c="dimmed" fz="xs" style={{ whiteSpace: 'nowrap' }} title={hint}>
          {label}
        </Text>
      </Group>
    ))}
  </Group>
)
