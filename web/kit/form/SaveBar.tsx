import { Button, Group, Kbd, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './SaveBar.module.css'

interface Props {
  /** Consequence of saving, or the missing fields. */
  left?: ReactNode
  /** Verb and noun: "Create website". */
  save: string
  onCancel: () => void
  cancel?: string
  busy?: boolean
  disabled?: boolean
  extra?: ReactNode
}

/** Sticky footer of a form: consequence on the left, buttons on the right. */
export const SaveBar = ({ left, save, onCancel, cancel = 'Cancel', busy, disabled, extra }: Props) => (
  <footer className={css.bar}>
    <Text component="div" c="dimmed" className={css.left} aria-live="polite">
      {left}
    </Text>
    <Group gap={8} wrap="nowrap" justify="flex-end" className={css.acts}>
      <Button variant="subtle" color="secondary" onClick={onCancel}>
        {cancel}
      </Button>
      {extra}
      <Button
        type="submit"
        loading={busy}
        disabled={disabled}
        rightSection={
          <Kbd visibleFrom="sm" aria-hidden>
            Ctrl ↵
          </Kbd>
        }
      >
        {save}
      </Button>
    </Group>
  </footer>
)
