import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Glyph } from '../../kit/look/Glyph.tsx'

/** A line of text with a warning mark. */
export const Note = ({ children }: { children: ReactNode }) => (
  <Group gap={8} wrap="nowrap" align="center">
    <Glyph shape="bang" colour="warning" />
    <Text fz="sm">{children}</Text>
  </Group>
)
