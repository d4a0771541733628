import { ActionIcon, Group, Text, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from '../automations/automation.module.css'

interface Props {
  children: ReactNode
  below: string
  /** Name of the button for screen readers: "Delete the note of Kari Berg". */
  label: string
  /** Why the entry cannot be removed. */
  reason?: string
  onRemove: () => void
}

/** An entry of a section in two lines, with a button to remove it. */
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
