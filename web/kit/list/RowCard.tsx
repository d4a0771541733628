import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Mono } from '../look/Mono.tsx'

/** A row of a list on a phone in two lines: name and details on the left, status on the right. */
export const RowCard = ({ name, below, children }: { name: string; below: ReactNode; children: ReactNode }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Mono fw={450} display="block" truncate>
        {name}
      </Mono>
      <Text c="dimmed" fz="xs" truncate>
        {below}
      </Text>
    </div>
    <div style={{ flex: 'none', textAlign: 'right' }}>{children}</div>
  </Group>
)
