import type { Colour } from '@innkeeper/contract/quality/qc/values'
import { Badge } from '@mantine/core'

/** A tag beside other tags. */
export const TagChip = ({ name, colour }: { name: string; colour: Colour }) => (
  <Badge variant="light" color={colour} size="md" fz="xs" style={{ flex: 'none', maxWidth: 180 }}>
    {name}
  </Badge>
)
