import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './automation.module.css'

interface Props {
  children: ReactNode
  below: string
  /** "Delete the note of Kari Berg": what the button is called when it is read out. */
  label: string
  /** Why it cannot be removed. */
  reason?: string
  onRemove: () => void
}

/** Two lines of a section, and the way to be rid of them. */
export const RemovableLine = ({ children, below, label, reason, onRemove }: Props) => (
  <Group className={css.line} justify="space-between" wrap="nowrap" px={14} mih={46}>
    <span className={css.cell}>
      {children}
      <Text span c="dimmed" fz="xs" truncate title={below}>
        {below}
      </Text>
    </span>
    <Tooltip label={reason ?? label}>
      <ActionIcon
        aria-label={label}
        aria-disabled={reason !== undefined}
        onClick={() => reason === undefined && onRemove()}
      >
        <IconTrash size={15} />
      </ActionIcon>
    </Tooltip>
  </Group>
)
